/**
 * Reads the name in `<function=` or `<parameter=`, up to the tag's `>`. If that is missing, the name ends at the next line or
 * tag.
 */
import type { Reading, TextInput } from '../../engine/text-input.ts'

/** Maximum length of a name. A longer name is refused. */
const MAX_NAME = 256

export interface TagName {
  /** The name without quotes and white space around it. Empty if there is none. */
  readonly name: string
  /**
   * How the tag ended. `open`: with `>`. `closed`: with `/>`. `missing`: without `>`, or the name starts with an extra `=`. `none`: the
   * name is too long. `cut`: the text ended inside the tag.
   */
  readonly end: 'open' | 'closed' | 'missing' | 'none' | 'cut'
}

/** Reads a name. `isQuoted` returns true if the quotes around the name belong to it. */
export function* readTagName(input: TextInput, isQuoted: (written: string) => boolean = () => false): Reading<TagName> {
  yield* input.skipSpace()
  const text = yield* input.takeWhile((code) => code !== LINE_FEED && code !== LESS && code !== GREATER, MAX_NAME)
  yield* input.skipSpace()
  const unit = yield* input.peek()
  if (unit === '') return { name: '', end: 'cut' }
  if (unit === '>') input.at++
  else if (text.length >= MAX_NAME) return { name: '', end: 'none' }
  const isClosed = unit === '>' && text.endsWith('/')
  const label = (isClosed ? text.slice(0, -1) : text).trim()
  const written = label.replace(/^name *= *|^= */, '')
  const end = unit === '>' && !label.startsWith('=') ? 'open' : 'missing'
  return { name: isQuoted(written) ? written : unquote(written), end: isClosed ? 'closed' : end }
}

const LINE_FEED = 0x0a
const LESS = 0x3c
const GREATER = 0x3e

function unquote(text: string): string {
  const quote = text.charAt(0)
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote)
  return isQuoted ? text.slice(1, -1).trim() : text
}

/** Returns true for a name that would be parsed back unchanged. */
export function isTagName(name: string): boolean {
  return (
    name !== '' &&
    name.length < MAX_NAME &&
    name.trim() === name &&
    !/[<>\n]|^=|^name *=|\/$/.test(name) &&
    unquote(name) === name
  )
}
