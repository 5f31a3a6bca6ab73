/** A map with calls as keys. Arguments are compared as JSON: whitespace, escapes and key order don't matter. */
import type { RawToolCall } from '@x/adapters'
import { canonicalJson } from '../json.ts'

/** A call as the model wrote it. */
export type WrittenCall = Pick<RawToolCall, 'name' | 'arguments'>

export interface CallEntry<Value> {
  value: Value | undefined
}

interface Entry<Value> extends CallEntry<Value> {
  readonly text: string
  /** Computed when a different text with the same hash is looked up, which is rare. */
  canonical?: string
}

export class CallMap<Value> {
  readonly #entries = new Map<string, Entry<Value>[]>()

  find(call: WrittenCall): CallEntry<Value> | undefined {
    return findIn(this.#entries.get(keyOf(call)), call.arguments)
  }

  /** The entry of the call, created at its first use. */
  of(call: WrittenCall): CallEntry<Value> {
    const key = keyOf(call)
    const entries = this.#entries.get(key)
    const found = findIn(entries, call.arguments)
    if (found !== undefined) return found
    const entry: Entry<Value> = { text: call.arguments, value: undefined }
    if (entries === undefined) this.#entries.set(key, [entry])
    else entries.push(entry)
    return entry
  }
}

function findIn<Value>(entries: Entry<Value>[] | undefined, text: string): Entry<Value> | undefined {
  if (entries === undefined) return undefined
  const same = entries.find((entry) => entry.text === text)
  if (same !== undefined || isLossy(text)) return same
  const canonical = canonicalOf(text)
  return entries.find((entry) => {
    entry.canonical ??= canonicalOf(entry.text)
    return entry.canonical === canonical
  })
}

/** A hash that ignores whitespace, escapes, and the order of the tokens between commas, colons and brackets. */
function keyOf({ name, arguments: written }: WrittenCall): string {
  // Apart from whitespace and key order, only escapes give the same JSON another spelling.
  const text = ESCAPED.test(written) ? canonicalOf(written) : written
  let sum = 0
  let part = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && !isMark(code)) part = (Math.imul(part, 31) + code) | 0
    else if (part !== 0) {
      sum = (sum + Math.imul(part, part | 1)) | 0
      part = 0
    }
  }
  return `${name} ${sum + part}`
}

/** Optional JSON escapes: `\u00e9`, `\/`. */
const ESCAPED = /\\[u/]/

/** True for `,`, `:` and the brackets of JSON. */
function isMark(code: number): boolean {
  return code === 44 || code === 58 || code === 123 || code === 125 || code === 91 || code === 93
}

/** Returns the text itself if it isn't JSON. */
function canonicalOf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text))
  } catch {
    return text
  }
}

const LOSSY_NUMBER = /\d{16}|\d[eE]/

/** True when parsing may lose digits of a number outside strings, so that two different numbers would compare as equal. */
function isLossy(text: string): boolean {
  if (!LOSSY_NUMBER.test(text)) return false
  let outside = ''
  let isInside = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '\\') index++
    else if (character === '"') isInside = !isInside
    else if (!isInside) outside += character
  }
  return LOSSY_NUMBER.test(outside)
}
