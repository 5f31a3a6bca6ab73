/** Parses a tag's attributes. Values may be in single or double quotes, or unquoted. */
import { MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'

export interface TagAttributes {
  /** Trimmed value of the attribute `name`. Undefined if it is missing or empty, or if there are two different values. */
  readonly name: string | undefined
  readonly all: ReadonlyMap<string, string>
  /** True if the tag ends with `/`, so that the element has no content. */
  readonly isEmpty: boolean
  /** True if the tag contains anything other than attributes, or an unbalanced quote. A part of the tag may then be missing. */
  readonly isOdd: boolean
}

const TAG_END = new MarkerSet({ end: '>', broken: '<' })

/** Reads the attributes that follow a tag's name, up to and including the `>`. `broken`: another tag starts before the `>`. */
export function* readAttributes(input: TextInput): Reading<TagAttributes | 'cut' | 'broken'> {
  const pieces: string[] = []
  const end = yield* input.before(TAG_END, (piece) => pieces.push(piece))
  if (end === undefined) return 'cut'
  if (end === 'broken') return 'broken'
  input.at++
  return parseAttributes(pieces.join(''))
}

/** Writes `key="value"`. Returns undefined if the value can't be written in an attribute. */
export function formatAttribute(key: string, value: string): string | undefined {
  if (value === '' || value !== value.trim() || /[<>]/.test(value)) return undefined
  const quote = value.includes('"') ? "'" : '"'
  return value.includes(quote) ? undefined : `${key}=${quote}${value}${quote}`
}

function parseAttributes(text: string): TagAttributes {
  const all = new Map<string, string>()
  let isTwofold = false
  let isOdd = false
  let at = skipSpace(text, 0)
  while (at < text.length && text[at] !== '/') {
    const start = at
    while (at < text.length && !/[\s=]/.test(text.charAt(at))) at++
    const key = text.slice(start, at)
    at = skipSpace(text, at)
    isOdd ||= text[at] !== '=' || key === ''
    if (text[at] !== '=') continue
    const { value, end } = readValue(text, skipSpace(text, at + 1))
    isOdd ||= /["']/.test(value) || /^["']/.test(text.slice(at + 1, end).trim()) !== /["']$/.test(text.slice(at + 1, end))
    isTwofold ||= key === 'name' && all.has(key) && all.get(key) !== value.trim()
    if (!all.has(key)) all.set(key, value.trim())
    at = skipSpace(text, end)
  }
  // In `<invoke="f">`, the value without a key is the name.
  const name = isTwofold ? undefined : all.get('name') || all.get('') || undefined
  const rest = text.slice(at).trim()
  return { name, all, isEmpty: rest.startsWith('/'), isOdd: isOdd || !'/'.startsWith(rest) }
}

function readValue(text: string, from: number): { readonly value: string; readonly end: number } {
  const quote = text.charAt(from)
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, from + 1)
    // A value without its closing quote ends where the tag ends.
    return close < 0 ? { value: text.slice(from + 1), end: text.length } : { value: text.slice(from + 1, close), end: close + 1 }
  }
  let end = from
  while (end < text.length && !/\s/.test(text.charAt(end))) end++
  return { value: text.slice(from, end), end }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}
