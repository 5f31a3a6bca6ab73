/** Every prompt, observation and error message that this package writes for a model. */
import { type FieldError, type FieldErrorCode, type Observation, toContent } from '@x/adapters'
import { isContent, type ToolErrorCode, type ToolResult } from '@x/tool-core'
import type { CallErrorCode } from './loop/outcome.ts'

const MAX_LENGTH = 1_000_000
const ERROR_MARK = 'Error: '

export type ErrorCode = CallErrorCode | ToolErrorCode | FieldErrorCode

/**
 * Returns the observation for a tool result. A string stays unchanged, and any other value becomes JSON. `toModelOutput` of the tool takes
 * precedence over its output; images and files that it returns become parts. An error starts with "Error:".
 */
export function toObservation(result: ToolResult): Observation {
  const { id: callId, name } = result.call
  if (!result.ok) return toErrorObservation(callId, name, result.error.message, result.error.code)
  if (isContent(result.modelOutput)) {
    const { content, parts } = toContent([result.modelOutput].flat())
    return { callId, name, ok: true, text: capped(content), ...(parts.some(({ type }) => type !== 'text') && { parts }) }
  }
  return { callId, name, ok: true, text: capped(toText(result.modelOutput === undefined ? result.output : result.modelOutput)) }
}

export function toErrorObservation(callId: string, name: string, message: string, code?: ErrorCode): Observation {
  return { callId, name, ok: false, text: capped(`${ERROR_MARK}${message}`), ...(code !== undefined && { code }) }
}

/** Returns false for text that `toObservation` truncated. */
export function fits(text: string): boolean {
  return text.length <= MAX_LENGTH
}

/** Returns the message of an error observation. */
export function withoutErrorMark(text: string): string {
  return text.replace(/^Error: /, '')
}

// Calls

export const NOT_RUN = 'This call was not run.'
export const STOPPED = 'This call was not run, because the run had been stopped. Make it again if you still need it.'
export const MAY_BE_DONE = 'It may have taken effect. Check before you call it again.'
export const NOT_KEPT = `The result of this call could not be recorded. ${MAY_BE_DONE}`
export const NO_RESULT = `Error: No result was recorded for this call. ${MAY_BE_DONE}`
export const UNKNOWN_OUTCOME =
  'Unknown outcome: the process stopped during this call. It may have taken effect. It was not repeated. Check before you call it again.'

export function unparsedCall(name: string): string {
  return `The call to "${name}" could not be parsed and was not run. Make the call again, in the required format, with an object as its arguments.`
}

export const DUPLICATE_CALL =
  'This call repeats an earlier call in this turn: id, name and arguments are the same. It was not run again. Use the result of the earlier call.'

export function endedEarly(name: string): string {
  return `"${name}" was not accepted because another call in the same turn failed. Read that error, then continue or call "${name}" again.`
}

export function tooManyCalls(limit: number): string {
  const calls = limit === 1 ? '1 call' : `${limit} calls`
  return `This call was not run because a turn may contain at most ${calls}. Read the other results, then make this call again if you still need it.`
}

export function sameCallInTurn(name: string, most: number, isWrite: boolean): string {
  const advice = isWrite
    ? 'If you need to repeat it, make it in another turn.'
    : `Use ${most === 1 ? 'that result' : 'those results'}.`
  return `You already made this call to "${name}"${times(most)} in this turn, so it was not run again. ${advice}`
}

export function repeatedCall(count: number): string {
  const each = count === 1 ? '' : ', with the same result each time'
  return `You already made this call${times(count)}${each}. It was not run again. Use that result, try something else, or answer.`
}

export function failingTool(name: string, failures: number): string {
  const often = failures === 1 ? '' : `${times(failures)} in a row`
  return `"${name}" failed${often} and can no longer be called. Continue without it, or explain why the task cannot be done.`
}

export function rejected(reason: string | undefined): string {
  const next = "Don't make the same call again. Try something else, or explain why the task can't be done."
  return `The approver rejected this call, so it was not run. ${reason === undefined || reason === '' ? next : `Reason: ${reason}`}`
}

export function editedTo(args: object): string {
  return `The arguments of this call were edited during approval: ${JSON.stringify(args)}`
}

export function invalidClientResult(name: string, issues: string): string {
  return `"${name}" was run by the user's client, but its result does not match the output schema: ${issues}. The call may have taken effect.`
}

export function changedSinceApproval(name: string): string {
  return `"${name}" was not run: its arguments, prepared again, differ from the approved ones. Make the call again to request a new approval.`
}

/** Returns the message for the approver. A changed argument without a value was removed. */
export function changedByHook(name: string, changed: Readonly<Record<string, unknown>>): string {
  const removed = Object.keys(changed).filter((key) => changed[key] === undefined)
  const changes = [
    ...(removed.length < Object.keys(changed).length ? [`change the edited arguments to ${JSON.stringify(changed)}`] : []),
    ...(removed.length > 0 ? [`remove the edited arguments ${removed.map((key) => JSON.stringify(key)).join(', ')}`] : []),
  ]
  return `A hook of "${name}" would ${changes.join(' and ')}. Pass arguments that the hook doesn't change, or omit the ones that it changes.`
}

export function editNotRun(name: string): string {
  return `"${name}" was not run: a hook would have changed the arguments that the approver edited. Make the call again to request a new approval.`
}

export function aborted(name: string): string {
  return `"${name}" was aborted by the application before it returned a result.`
}

export const NOT_UNDONE = 'Calls that it had already made are not undone. Check their effects before you call it again.'

export function timedOut(name: string, timeoutMs: number): string {
  return `"${name}" did not finish within ${timeoutMs} ms. ${NOT_UNDONE}`
}

export function recursiveCall(name: string): string {
  return `"${name}" was not run: a tool cannot call itself, directly or through another tool.`
}

export function nestedTooDeep(name: string, most: number): string {
  return `"${name}" was not run: tools may call each other at most ${most} levels deep.`
}

export function tooManyNestedCalls(name: string, most: number): string {
  return `"${name}" was stopped because it made more than ${count(most)} calls. ${NOT_UNDONE}`
}

export function nestedDataTooLarge(name: string, mebibytes: number): string {
  return `"${name}" was stopped because its calls and their results exceed ${mebibytes} MiB in total. Split the work into several calls, and request shorter results. ${NOT_UNDONE}`
}

/** For a tool whose call of another tool succeeded. */
export function outputTooLong(name: string, most: number): string {
  return `"${name}" was executed, but its output is longer than ${count(most)} characters, so it can't be returned. Ask for less, such as a page or a filter. If the call changes something, don't repeat it.`
}

/** `waiting` are the calls and questions that have no decision yet. */
export function nondeterministicProgram(name: string, difference: string, waiting: readonly string[]): string {
  const notMade = waiting.length === 0 ? '' : ` Not made, because a decision was still missing: ${waiting.join(', ')}.`
  return `"${name}" was stopped, because its resumed execution differs from the earlier one: ${difference}.${notMade} ${NOT_UNDONE}`
}

export function invalidNestedArguments(name: string): string {
  return `Invalid arguments for "${name}": they must be an object of JSON data.`
}

export function declinedQuestion(reason: string | undefined): string {
  return `The question was not answered.${reason === undefined || reason === '' ? '' : ` Reason: ${reason}`}`
}

/** Omits the message of the inner failure, which may contain hosts, paths or data. */
export function agentFailed(agent: string, code: string | undefined): string {
  if (code === 'aborted') return `The agent "${agent}" was aborted.`
  return `The agent "${agent}" did not finish its task${code === undefined ? '' : ` (${code})`}.`
}

// Tools found by search

export const CALL_TOOL = 'call_tool'
export const CALL_TOOL_DESCRIPTION = 'Call a tool that a search returned. The result is that of the called tool.'
export const CALL_TOOL_NAME = 'Name of the tool, as the search returned it.'
export const CALL_TOOL_ARGUMENTS = "Arguments that match the tool's `parameters`."
export const CALL_TOOL_FORM = `Write the arguments of "${CALL_TOOL}" as {"name": …, "arguments": {…}}, with the name of a tool that a search returned. Nothing was run.`

// Long results

export const READ_RESULT = 'read_result'
export const READ_RESULT_DESCRIPTION = 'Read more of a result that was too long to show at once.'
export const READ_RESULT_CALL = 'Id of the call, as shown in the truncated result.'
export const READ_RESULT_OFFSET = 'Character to start at. Default: 0.'

export function noLongResult(call: string, available: Iterable<string>): string {
  return `There is no long result for call "${call}". Available results: ${[...available].join(', ')}.`
}

export function resultEnds(length: number): string {
  return `The result has only ${length} characters. Use a smaller offset.`
}

const READ_ON = '; to read more, call '

/**
 * Returns a page of a long result, followed by a line that explains how to read the next one: with `read_result`, or with `call_tool` if
 * `read_result` isn't offered.
 */
export function pageOf(
  page: string,
  callId: string,
  { start, end, length }: { start: number; end: number; length: number },
  isOffered: boolean,
): string {
  const next = JSON.stringify({ call: callId, offset: end })
  const call = isOffered ? `${READ_RESULT} with ${next}` : `${CALL_TOOL} with {"name":"${READ_RESULT}","arguments":${next}}`
  return `${page}\n[characters ${start} to ${end} of ${length}${READ_ON}${call}]`
}

/** Rewrites the last line of a page to state that the rest is no longer available. Returns any other text unchanged. */
export function withoutReadingOn(page: string): string {
  const line = page.lastIndexOf('\n[characters ')
  const readOn = line === -1 ? -1 : page.indexOf(READ_ON, line)
  return readOn === -1 || !page.endsWith('}]') ? page : `${page.slice(0, readOn)}; the rest is no longer available]`
}

export const LEFT_OUT = '[Earlier turns were left out because the conversation grew too long.]'

// The end of a task

export const SUBMIT_DESCRIPTION = 'Submit the final outputs. Call this once, when the task is done.'
export const FINISH_DESCRIPTION = 'Signal that the task is done and that you have everything you need to answer.'

export const SUBMIT_INSTRUCTIONS = 'Use the tools as needed. When the task is done, call "submit" with the outputs.'
export const ANSWER_INSTRUCTIONS =
  'Use the tools as needed. When you have everything you need, reply with the answer and without a tool call.'
export const FINISH_INSTRUCTIONS =
  'Use the tools as needed. When you have everything you need to answer, call "finish", or reply without a tool call.'

export const ASK_FOR_SUBMIT =
  'Your reply contains no tool call. If the task is done, call "submit" with the outputs. Otherwise, call the next tool.'

export const NO_MORE_CALLS = 'The reply contains a tool call, but tools can no longer be called. Write only the final answer.'

/** Asks for the outputs in a separate turn. `form` describes their format. */
export function askForOutputs(form: string): string {
  return `Now give the final answer, based on the results above. Do not call any more tools.${form === '' ? '' : `\n\n${form}`}`
}

export function describeErrors(errors: readonly FieldError[]): string {
  return listed('Your reply cannot be used:', errors, 'Fix this and reply again.')
}

/** Describes the malformed calls of a turn after its other calls have been answered. */
export function describeMalformed(errors: readonly FieldError[]): string {
  return listed(
    'Part of your reply could not be used:',
    errors,
    'Your other calls are answered above. Do not repeat those that succeeded.',
  )
}

function listed(start: string, errors: readonly FieldError[], end: string): string {
  return [start, ...errors.map(({ message }) => `- ${message}`), end].join('\n')
}

export const THINK_FIRST = 'Think step by step before you write the other fields.'

// The selector

export function tooManySelected(selected: number, most: number): string {
  return `${selected} calls were requested; only the first ${most} were accepted.`
}

export function tooManyNames(most: number): string {
  return `More than ${most} tools were named; the rest were ignored.`
}

export function tooManyNotSelected(count: number, listed: number): string {
  return `Arguments were given for ${count} tools that were not selected; only the first ${listed} are listed.`
}

export function notSelected(name: string): string {
  return `The tool "${name}" has arguments but was not selected. Add it to the selected tools, or remove its arguments.`
}

export function unknownNotSelected(name: string): string {
  return `Arguments were given for ${JSON.stringify(name.slice(0, 100))}, but there is no such tool. Select a tool from the list, or remove these arguments.`
}

export function invalidArguments(name: string, reason: string): string {
  return `Invalid arguments for "${name}": ${reason}`
}

export function unclearArguments(stray: string, name: string): string {
  return `It is unclear which tool ${JSON.stringify(stray.slice(0, 100))} belongs to. Write the arguments under the name of the tool: {"${name}": {...}}.`
}

export function repeatedArguments(name: string): string {
  return `Arguments for "${name}" were given more than once, so it is unclear which to use. For several calls, write a list of objects.`
}

export function repeatedName(name: string, count: number, made: number): string {
  return `"${name}" was selected ${count} times, but that makes only ${made} ${made === 1 ? 'call' : 'calls'}. For several calls, write a list of objects as its arguments.`
}

export const TRUNCATED_ARGUMENTS = 'The arguments were truncated. Write them again, shorter if necessary.'
export const NOT_A_MAP = 'The arguments must be a JSON object that maps tool names to arguments.'
export const NOT_AN_OBJECT = 'The arguments must be a JSON object, or a list of JSON objects for several calls.'
export const NO_SELECTION = 'The field "selected_tools" is missing. Write the names of the tools, or "none".'

function count(number: number): string {
  return number.toLocaleString('en-US')
}

function times(count: number): string {
  return count === 1 ? '' : ` ${count} times`
}

/** Converts a value to text. `callTool` has already made the value plain JSON. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}

function capped(text: string): string {
  return fits(text) ? text : `${text.slice(0, MAX_LENGTH)}… [truncated: ${text.length} characters in total]`
}
