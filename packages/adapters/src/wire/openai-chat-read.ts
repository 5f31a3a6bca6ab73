/** What replies and streams of Chat Completions have in common, read as the many servers write it. */
import type { Finish, ProviderError, Usage } from '../protocol.ts'
import { fieldAt, isObject, numberAt, objectAt, stringAt } from './read-json.ts'

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

/** A text by the specification; some servers send the object itself. */
export function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : ''
}

/** The provider's id, or a minted one where it sent none or sent it twice. */
export function uniqueId(id: string | undefined, index: number, seen: Set<string>): string {
  const unique = id !== undefined && id !== '' && !seen.has(id) ? id : `call_${index}`
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
  if (typeof error === 'string') return { message: error }
  if (isObject(error)) {
    const code = fieldAt(error, 'code') ?? fieldAt(error, 'type')
    return { message: stringAt(error, 'message') ?? JSON.stringify(error), ...(code != null && { code: String(code) }) }
  }
  if (fieldAt(reply, 'choices') !== undefined) return undefined
  const message = stringAt(reply, 'message') ?? stringAt(reply, 'detail')
  return message === undefined ? undefined : { message }
}

/** The fields that have a value. */
export function optional<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
