/** Handles questions for which a run pauses, possibly for days. Another process may send the answers to the server. */
import { type GivenInput, type InputQuestion, InputRequired, readSchema, validate } from '@x/tool-core'
import * as prompts from '../prompts.ts'
import { failed } from './call-reason.ts'
import { type Asking, answer, type McpQuestion, toQuestion, type WireAnswer, type WireQuestion } from './elicit.ts'
import { extentOf } from './size-of.ts'

type Requests = readonly (readonly [string, { readonly params?: WireQuestion | undefined }])[]

/** Data that is kept while the run is paused. Plain JSON. */
interface Kept {
  readonly requestState?: string | undefined
  /** Number of rounds of questions that have been answered when the call is made again. */
  readonly round: number
  /** For each key of this package: the server's key, and the kind of question. */
  readonly asked: Readonly<Record<string, { readonly key: string; readonly mode: McpQuestion['mode'] }>>
  /** Answers to questions that were declined without asking the user. Each has the server's key. */
  readonly answers: readonly (readonly [string, WireAnswer])[]
}

interface Later extends Asking {
  readonly tool: string
  readonly requestState: string | undefined
  readonly round: number
}

/** Maximum size of the questions and the state in a paused run, in characters. */
const MAX_KEPT = 256 * 1024
const KEY = /^[A-Za-z][\w-]{0,63}$/

/**
 * Pauses the run by throwing `InputRequired` with the questions. Returns if no question can be asked; `answer` then declines all
 * of them.
 */
export async function askLater(requests: Requests, { requestState, round, ...asking }: Later): Promise<void> {
  const { tool } = asking
  const hasKeys = requests.every(([key]) => KEY.test(key))
  const asked: Record<string, Kept['asked'][string]> = {}
  const answers: [string, WireAnswer][] = []
  const questions: InputQuestion[] = []
  for (const [index, [key, { params = {} }]] of requests.entries()) {
    const question = toQuestion(params, asking)
    if (question === undefined) {
      answers.push([key, await answer(params, asking)])
      continue
    }
    const own = hasKeys ? key : `input_${index + 1}`
    asked[own] = { key, mode: question.mode }
    questions.push({ key: own, message: toMessage(question, tool), schema: await toSchema(question) })
  }
  if (questions.length === 0) return
  const kept: Kept = { requestState, round, asked, answers }
  if (extentOf([questions, kept]).size > MAX_KEPT) throw failed(prompts.tooMuchAsked(tool), 'input_unavailable')
  throw new InputRequired(prompts.inputNeeded(tool), questions, kept)
}

function toMessage(question: McpQuestion, tool: string): string {
  const message = question.message.trim() === '' ? prompts.inputNeeded(tool) : question.message
  return question.mode === 'url' ? prompts.openPage(message, question.host, question.url) : message
}

/**
 * Returns the schema of an answer. The answer to a request to open a page has no values. Throws if the form's schema is invalid.
 */
async function toSchema(question: McpQuestion): Promise<object> {
  if (question.mode === 'url') return { type: 'object', properties: {} }
  const { schema, fault } = readSchema({ type: 'object', properties: {}, ...question.schema })
  if (schema?.type !== 'object') throw new TypeError(`The server's form is invalid: ${fault ?? 'it has no object schema'}`)
  await validate(schema, {})
  return schema
}

/** Returns the request that continues the call after the user has answered. */
export function toRetry({ state, answers }: GivenInput) {
  const { requestState, round, asked, answers: declined } = state as Kept
  const all: [string, WireAnswer][] = declined.map(([key, given]) => [key, given])
  for (const [own, { key, mode }] of Object.entries(asked)) {
    const content = answers[own] as Readonly<Record<string, unknown>> | null | undefined
    if (content == null) all.push([key, { action: 'decline' }])
    else all.push([key, mode === 'url' ? { action: 'accept' } : { action: 'accept', content }])
  }
  return { round, params: toParams(all, requestState) }
}

export function toParams(answers: readonly (readonly [string, WireAnswer])[], requestState: string | undefined) {
  return {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(requestState !== undefined && { requestState }),
  }
}
