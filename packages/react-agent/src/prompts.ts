/** Every word that this package writes for a model. */
import type { FieldError, Observation } from '@x/adapters'
import type { ToolResult } from '@x/tool-core'

const MAX_LENGTH = 1_000_000

/** What the model reads of a result: a text as it is, anything else as JSON, what the tool shows before what it returned; an error says so in its first word. */
export function toObservation(result: ToolResult): Observation {
  const { id: callId, name } = result.call
  if (!result.ok) return toErrorObservation(callId, name, result.error.message, result.error.code)
  return { callId, name, ok: true, text: capped(toText(result.observation === undefined ? result.output : result.observation)) }
}

export function toErrorObservation(callId: string, name: string, message: string, code?: string): Observation {
  return { callId, name, ok: false, text: capped(`Error: ${message}`), ...(code !== undefined && { code }) }
}

export const NOT_RUN = 'This call was not run.'
export const MAY_BE_DONE = 'It may have been carried out all the same. Check whether it had its effect before you call it again.'
export const NOT_KEPT = 'Its result was lost, since it could not be recorded.'
export const UNKNOWN_OUTCOME =
  'unknown_outcome. The program was stopped during this call, and nobody knows whether it was carried out. It was not repeated. Check whether it had its effect before you call it again.'

export function endedEarly(name: string): string {
  return `"${name}" was not accepted, because another call of the same turn failed. Read its error, then go on or call "${name}" again.`
}

export function tooManyCalls(limit: number): string {
  return `This call was not run: a turn may have at most ${limit} calls. Read the results of the others, then make it again if you need it.`
}

export function sameCallInTurn(name: string, most: number): string {
  const times = most === 1 ? '' : ` ${most} times`
  return `This very call of "${name}" stands in the same turn before${times}. It was not run again. If it is meant so, call it in another turn.`
}

export function repeatedCall(count: number): string {
  return `This very call was made ${count} times, with the same result each time; it stands above. It was not run again. Do something else, or answer.`
}

export function failingTool(name: string, failures: number): string {
  return `"${name}" failed ${failures} times in a row and is not run any more. Do without it, or say why the task cannot be done.`
}

export function rejected(reason: string | undefined): string {
  return `The call was rejected and not run.${reason === undefined || reason === '' ? '' : ` Reason: ${reason}`}`
}

export function editedTo(args: object): string {
  return `The call was made with other arguments, as somebody decided: ${JSON.stringify(args)}`
}

export const SUBMIT_DESCRIPTION = 'Give the final outputs. Call it once, when the task is done.'
export const FINISH_DESCRIPTION = 'Say that the task is done and that you have all you need to answer.'

export const SUBMIT_INSTRUCTIONS = 'Use the tools as needed. When the task is done, call "submit" with the outputs.'
export const FINISH_INSTRUCTIONS = 'Use the tools as needed. When you have all you need to answer, call "finish".'

export const ASK_FOR_SUBMIT = 'Now call "submit" with the outputs.'

export const NO_MORE_CALLS = 'It calls a tool, and no more tools are run. Write the final answer alone, without a call.'

/** Asks for the outputs in a turn of their own; `form` says how to write them. */
export function askForOutputs(form: string): string {
  return `Now give the final answer from what you have seen above. Call no more tools.${form === '' ? '' : `\n\n${form}`}`
}

export function describeErrors(errors: readonly FieldError[]): string {
  return ['Your reply cannot be used:', ...errors.map(({ message }) => `- ${message}`), 'Write it again, mended.'].join('\n')
}

/** `callTool` made a JSON value of it. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}

function capped(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… [cut off: ${text.length} characters in all]`
}
