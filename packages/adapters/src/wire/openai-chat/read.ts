/** Reads the fields of Chat Completions, in complete replies and in streams. Accepts the variants of many servers. */
import type { FinishReason, ProviderError, Usage } from '../../protocol/protocol.ts'
import { errorCode } from '../error-code.ts'
import { arrayAt, countWith, fieldAt, isObject, numberAt, objectAt, optional, stringAt, toJson } from '../read-json.ts'

/** Returns the choice with index 0, or the first choice without an index. */
export function choiceOf(reply: unknown): unknown {
  return arrayAt(reply, 'choices').find((choice) => (numberAt(choice, 'index') ?? 0) === 0)
}

/** Reads `content`: a string, null, or a list of parts. */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (stringAt(part, 'type') === 'text' ? (stringAt(part, 'text') ?? '') : '')).join('')
}

/** Reads the reasoning from a field of the message, from parts of its content, or from its reasoning details. */
export function readReasoning(message: unknown): string | undefined {
  const text = stringAt(message, 'reasoning_content') || stringAt(message, 'reasoning')
  if (text) return text
  const parts = arrayAt(message, 'content').map((part) => (stringAt(part, 'type') === 'thinking' ? readThinking(part) : ''))
  const details = arrayAt(message, 'reasoning_details').map(readDetail)
  return parts.join('') || details.join('') || undefined
}

/** Reads the refusal from a field of the message, or from parts of its content. */
export function readRefusal(message: unknown): string | undefined {
  const parts = arrayAt(message, 'content').map((part) => (stringAt(part, 'type') === 'refusal' ? stringAt(part, 'refusal') : ''))
  return stringAt(message, 'refusal') || parts.join('') || undefined
}

function readThinking(part: unknown): string {
  return stringAt(part, 'thinking') ?? readText(fieldAt(part, 'thinking'))
}

function readDetail(detail: unknown): string {
  return stringAt(detail, 'text') ?? stringAt(detail, 'summary') ?? ''
}

export function toFinish(reason: string | undefined): FinishReason | undefined {
  if (reason === undefined || reason === '') return undefined
  return FINISHES.get(reason.toLowerCase()) ?? 'other'
}

/** The finish reasons of OpenAI, of other servers, and of models behind a relay. */
const FINISHES: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
])

/**
 * Reads the usage, which is usually next to the choices. In a stream, Groq sends the usage in `x_groq`, and Moonshot in the choice. Adds
 * the reasoning tokens to the completion tokens if the total shows that these exclude them, as with xAI.
 */
export function readUsage(reply: unknown): Usage | undefined {
  const usage = objectAt(reply, 'usage') ?? objectAt(objectAt(reply, 'x_groq'), 'usage') ?? objectAt(choiceOf(reply), 'usage')
  if (usage === undefined) return undefined
  const prompt = objectAt(usage, 'prompt_tokens_details')
  const [inputTokens, completion] = [numberAt(usage, 'prompt_tokens'), numberAt(usage, 'completion_tokens')]
  const reasoningTokens = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens')
  const all = countWith(completion ?? Number.NaN, reasoningTokens)
  return optional({
    inputTokens,
    outputTokens: numberAt(usage, 'total_tokens') === (inputTokens ?? 0) + all ? all : completion,
    cacheReadTokens:
      numberAt(prompt, 'cached_tokens') ?? numberAt(usage, 'prompt_cache_hit_tokens') ?? numberAt(usage, 'cached_tokens'),
    cacheWriteTokens: numberAt(prompt, 'cache_write_tokens'),
    reasoningTokens,
  })
}

/** Reads an error from `error.message`, `error`, `message` or `detail`. The body may be a list that starts with the error. */
export function readError(body: unknown): ProviderError | undefined {
  const reply: unknown = Array.isArray(body) ? body[0] : body
  const error = fieldAt(reply, 'error')
  if (typeof error === 'string' && error !== '') return { message: error, ...optional({ code: readCode(reply) }) }
  if (isObject(error)) return { message: stringAt(error, 'message') ?? toJson(error), ...optional({ code: readCode(error) }) }
  if (fieldAt(reply, 'choices') !== undefined) return undefined
  const message = stringAt(reply, 'message') ?? readDetails(fieldAt(reply, 'detail'))
  return message === undefined ? undefined : { message, ...optional({ code: readCode(reply) }) }
}

/** Reads the error in a choice, which some hosts send together with the content so far. */
export function readChoiceError(choice: unknown): ProviderError | undefined {
  const error = objectAt(choice, 'error')
  return error && readError({ error })
}

/** Reads `detail`: a string, or a list of faults in the request. */
function readDetails(detail: unknown): string | undefined {
  if (detail === undefined || detail === null) return undefined
  return typeof detail === 'string' ? detail : toJson(detail)
}

/** Reads the code of an error. Google's endpoint for OpenAI clients sends a number as the code, and the error class as `status`. */
function readCode(error: unknown): string | undefined {
  const code = fieldAt(error, 'code')
  return errorCode(code, fieldAt(error, 'type'), typeof code === 'number' ? fieldAt(error, 'status') : undefined)
}
