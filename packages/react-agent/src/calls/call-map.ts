/** A value for each call; calls with the same JSON as arguments are one, whatever their spaces, escapes and order of keys. */
import type { RawToolCall } from '@x/adapters'
import { canonicalJson } from '../json.ts'

/** A call as the model wrote it. */
export type WrittenCall = Pick<RawToolCall, 'name' | 'arguments'>

export interface CallEntry<Value> {
  value: Value | undefined
}

interface Entry<Value> extends CallEntry<Value> {
  readonly text: string
  /** Made when another text of the same characters is looked for: few calls have one. */
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

/** The same for texts that differ in spaces, in escapes, and in the order of what stands between commas, colons and brackets. */
function keyOf({ name, arguments: written }: WrittenCall): string {
  // The only other spellings that the same text has in JSON.
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

/** Escapes that JSON can do without: `\u00e9`, `\/`. */
const ESCAPED = /\\[u/]/

/** `,`, `:`, or a bracket of JSON. */
function isMark(code: number): boolean {
  return code === 44 || code === 58 || code === 123 || code === 125 || code === 91 || code === 93
}

/** The text itself where it is no JSON. */
function canonicalOf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text))
  } catch {
    return text
  }
}

const LOSSY_NUMBER = /\d{16}|\d[eE]/

/** True where two different numbers may be the same once they are read. Digits inside strings, as those of an id, lose nothing. */
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
