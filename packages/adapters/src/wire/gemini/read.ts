/** Reads the finish reason, usage and error of a reply, and calls to the provider's own tools. */
import type { FinishReason, ProviderCall, ProviderError, Usage } from '../../protocol/protocol.ts'
import { errorCode } from '../error-code.ts'
import { countWith, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt, toJson } from '../read-json.ts'

/** Reads the finish reason: its name or, as some hosts send it, its number as text. */
export function readReason(candidate: unknown): string | undefined {
  const reason = fieldAt(candidate, 'finishReason')
  if (typeof reason === 'number') return String(reason)
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

/** Normalizes the finish reason. Gemini also sends `STOP` for a reply with calls. */
export function toFinish(reason: string, hasCalls: boolean): FinishReason {
  const finishReason = FINISHES.get(reason) ?? 'other'
  const isOpen = finishReason === 'stop' || reason === 'FINISH_REASON_UNSPECIFIED' || reason === '0'
  return hasCalls && isOpen ? 'tool-calls' : finishReason
}

/** Finish reasons by name or number. Numbers above 5 aren't listed, because they differ between Google's two hosts. */
const FINISHES: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['1', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['2', 'length'],
  ['SAFETY', 'content-filter'],
  ['3', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['4', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['JAILBREAK', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
])

/** Reads why the prompt was blocked. A reply to a blocked prompt has no candidate. */
export function readBlock(reply: unknown): { readonly reason: string; readonly message: string | undefined } | undefined {
  const feedback = objectAt(reply, 'promptFeedback')
  const reason = stringAt(feedback, 'blockReason') ?? numberAt(feedback, 'blockReason')
  if (reason === undefined || reason === '') return undefined
  return { reason: String(reason), message: stringAt(feedback, 'blockReasonMessage') }
}

/**
 * Reads the usage. The prompt count includes cached tokens. Adds the results of the provider's own tools to it, and thoughts to the
 * candidates count, which exclude them.
 */
export function readUsage(reply: unknown): Usage | undefined {
  const usage = objectAt(reply, 'usageMetadata')
  if (usage === undefined) return undefined
  const candidates = numberAt(usage, 'candidatesTokenCount')
  const reasoningTokens = numberAt(usage, 'thoughtsTokenCount')
  const prompt = numberAt(usage, 'promptTokenCount')
  const isCounted = candidates !== undefined || reasoningTokens !== undefined
  return optional({
    inputTokens: prompt === undefined ? undefined : countWith(prompt, numberAt(usage, 'toolUsePromptTokenCount')),
    outputTokens: isCounted ? countWith(candidates ?? 0, reasoningTokens) : undefined,
    cacheReadTokens: numberAt(usage, 'cachedContentTokenCount'),
    reasoningTokens,
  })
}

/** Reads `{ error }`, or a list that starts with that object. The API sends a list if a stream fails before it starts. */
export function readError(body: unknown): ProviderError | undefined {
  const error = fieldAt(Array.isArray(body) ? body[0] : body, 'error')
  if (typeof error === 'string' && error !== '') return { message: error }
  if (!isObject(error)) return undefined
  const code = errorCode(fieldAt(error, 'code'), stringAt(error, 'status'))
  return { message: stringAt(error, 'message') || toJson(error), ...optional({ code }) }
}

const PROVIDER_PARTS = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'] as const

/** Reads a call to one of the provider's own tools, or its result. */
export function readProviderCall(part: JsonObject): ProviderCall | undefined {
  const type = PROVIDER_PARTS.find((key) => isObject(part[key]))
  if (type === undefined) return undefined
  const block = part[type]
  const id = stringAt(block, 'id') || undefined
  return { type, by: 'provider', ...optional({ id, name: stringAt(block, 'toolType') }), raw: part }
}
