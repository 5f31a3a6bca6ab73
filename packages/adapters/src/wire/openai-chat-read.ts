/** What replies and streams of Chat Completions have in common, read as the many servers write it. */
import type { Finish, ProviderError, Usage } from '../protocol.ts'
import { fieldAt, isObject, type JsonObject, numberAt, objectAt, stringAt, toJson } from './read-json.ts'

/** `content` is a text, null, or a list of parts. */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (stringAt(part, 'type') === 'text' ? (stringAt(part, 'text') ?? '') : '')).join('')
}

export function readReasoning(message: unknown): string | undefined {
  return stringAt(message, 'reasoning_content') || stringAt(message, 'reasoning') || undefined
}

export function toFinish(reason: string | undefined): Finish | undefined {
  switch (reason) {
    case undefined:
    case '':
      return undefined
    case 'stop':
      return 'stop'
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls'
    case 'length':
      return 'length'
    case 'content_filter':
      return 'content-filter'
    case 'error':
      return 'error'
    default:
      return 'other'
  }
}

/** Whether a reply that ended for this reason may stop in the middle of a call. */
export function isCutBy(finish: Finish | undefined): boolean {
  return finish === 'length' || finish === 'content-filter' || finish === 'error'
}

/** A text by the specification; some servers send the object itself. What is no text stays visible, so that it is refused. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : toJson(value)
}

/** The provider's id, or a minted one where it sent none or sent it twice. */
export function uniqueId(id: string | undefined, index: number, seen: Set<string>): string {
  let unique = id !== undefined && id !== '' && !seen.has(id) ? id : `call_${index}`
  while (seen.has(unique)) unique += '_'
  seen.add(unique)
  return unique
}

export function readUsage(reply: unknown): Usage | undefined {
  const usage = objectAt(reply, 'usage') ?? objectAt(objectAt(reply, 'x_groq'), 'usage')
  if (usage === undefined) return undefined
  return optional({ inputTokens: numberAt(usage, 'prompt_tokens'), outputTokens: numberAt(usage, 'completion_tokens') })
}

/** `error.message`, `error`, `message` or `detail`, as the many servers have it. */
export function readError(reply: unknown): ProviderError | undefined {
  const error = fieldAt(reply, 'error')
  if (typeof error === 'string' && error !== '') return { message: error }
  if (isObject(error)) return { message: stringAt(error, 'message') ?? toJson(error), ...optional({ code: readCode(error) }) }
  if (fieldAt(reply, 'choices') !== undefined) return undefined
  const message = stringAt(reply, 'message') ?? stringAt(reply, 'detail')
  return message === undefined ? undefined : { message }
}

function readCode(error: JsonObject): string | undefined {
  const code = error.code ?? error.type
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/** The fields that have a value. */
export function optional<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
