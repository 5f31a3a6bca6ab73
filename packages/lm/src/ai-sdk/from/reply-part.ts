/** Converts parts of a reply to the form in which they are sent back. Text and client-side calls are handled elsewhere. */
import { splitMetadata } from '../kept.ts'
import { fieldAt, isObject, type Json, optional, parseJson, stringAt } from '../read.ts'

/** Converts a part to plain data: bytes become base64, and URLs become text. Returns undefined for a part that isn't sent back. */
export function toPromptPart(part: unknown): Json | undefined {
  if (!isObject(part)) return undefined
  const providerOptions = splitMetadata(part.providerMetadata ?? part.providerOptions).other
  const { type, toolCallId, toolName } = part
  switch (type) {
    case 'tool-call':
      return { type, toolCallId, toolName, input: inputOf(part.input), providerExecuted: true, ...optional({ providerOptions }) }
    case 'tool-result':
      // A preliminary result is replaced by a later one.
      if (part.preliminary === true) return undefined
      return { type, toolCallId, toolName, output: part.output ?? outputOf(part), ...optional({ providerOptions }) }
    case 'file':
    case 'reasoning-file':
      return {
        type,
        mediaType: part.mediaType,
        data: plainData(part.data),
        ...optional({ filename: part.filename, providerOptions }),
      }
    case 'custom':
      return { type, kind: part.kind, ...optional({ providerOptions }) }
    default:
      return undefined
  }
}

/** Parses the input of a call. In a reply it is JSON text, and in a prompt it is a value. */
function inputOf(input: unknown): unknown {
  return typeof input === 'string' ? (parseJson(input) ?? {}) : input
}

function outputOf({ result, isError }: Json): Json {
  if (isError === true)
    return typeof result === 'string' ? { type: 'error-text', value: result } : { type: 'error-json', value: result }
  return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result }
}

/** Returns `{ base64 }` or `{ url }`. Accepts bytes, base64 text, a URL, and the tagged objects of version 4. */
function plainData(data: unknown): Json {
  const inner =
    fieldAt(data, 'type') === 'data' ? fieldAt(data, 'data') : fieldAt(data, 'type') === 'url' ? fieldAt(data, 'url') : data
  if (inner instanceof URL) return { url: inner.href }
  if (inner instanceof Uint8Array) return { base64: toBase64(inner) }
  return { base64: typeof inner === 'string' ? inner : (stringAt(inner, 'base64') ?? '') }
}

/** Converts bytes to base64 in chunks, because a function call accepts only a limited number of arguments. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + PIECE)))
  return btoa(pieces.join(''))
}

const PIECE = 8192
