/** What a backslash and what follows it mean inside a text. */
import { NEWLINE } from './characters.ts'
import { type Cursor, WAIT, type Wait } from './cursor.ts'

const SIMPLE: Readonly<Record<string, string>> = {
  __proto__: null as never,
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const HEX = /^[0-9a-fA-F]{1,4}$/

/** The escape at the backslash: what it stands for, and how long it is. One that JSON does not know leaves a tag. */
export interface Escape {
  readonly text: string
  readonly length: number
}

export function readEscape(cursor: Cursor, at: number): Escape | Wait {
  const { text } = cursor
  if (at + 1 >= text.length) return cursor.isFinal ? cursor.refuse('truncated', text.length) : WAIT
  const letter = text.charAt(at + 1)
  const simple = SIMPLE[letter]
  if (simple !== undefined) return { text: simple, length: 2 }
  if (letter === 'u') return readUnicode(cursor, at)
  if (letter === "'" || text.charCodeAt(at + 1) === NEWLINE) {
    cursor.tags.add('bad_escape')
    return { text: letter, length: 2 }
  }
  if (letter < ' ') return cursor.refuse('bad_escape', at)
  cursor.tags.add('kept_backslash')
  return { text: `\\${letter}`, length: 2 }
}

function readUnicode(cursor: Cursor, at: number): Escape | Wait {
  const digits = cursor.text.slice(at + 2, at + 6)
  const isHex = digits === '' || HEX.test(digits)
  if (digits.length === 4 && isHex) return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 }
  if (digits.length < 4 && !cursor.isFinal) return WAIT
  return cursor.refuse(digits.length < 4 && isHex ? 'truncated' : 'bad_escape', at)
}

/** A text that was escaped as a whole, once: `{\"a\":1}`. Undefined when an escape in it is none of JSON. */
export function unescapeOnce(text: string): string | undefined {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const letter = text.charAt(at + 1)
    const isUnicode = letter === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))
    const meaning = isUnicode ? String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)) : SIMPLE[letter]
    if (meaning === undefined) return undefined
    pieces.push(text.slice(from, at), meaning)
    from = at + (isUnicode ? 6 : 2)
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}
