/** Splits a string into words, numbers, dates, quotations, ids, URLs and signs, in one pass. */
import { DATE_PATTERNS } from './dates.ts'
import { stem } from './stem.ts'
import { MULTIPLIERS, numberOfWord } from './words.ts'

export type TokenKind = 'word' | 'number' | 'quote' | 'id' | 'email' | 'url' | 'date' | 'time' | 'formula' | 'sign'

export interface Token {
  readonly kind: TokenKind
  /** The text as it was written. A quotation has no quotation marks. */
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly start: number
  readonly end: number
  /** Set for numbers and number words. */
  readonly number?: number | undefined
}

/** Maximum number of characters that are read. */
export const LONGEST_TEXT = 4000

/** Returns the tokens of a string in order. */
export function tokenize(source: string): Token[] {
  const text = source.slice(0, LONGEST_TEXT)
  const tokens: Token[] = []
  let position = 0
  while (position < text.length) {
    const token = WHITE.test(text[position] as string)
      ? undefined
      : (quoteAt(text, position) ?? patternAt(text, position) ?? signAt(text, position))
    if (token === undefined) position++
    else {
      const multiplier = MULTIPLIERS.get(token.text)
      const previous = tokens.at(-1)
      if (multiplier !== undefined && previous?.number !== undefined) {
        tokens[tokens.length - 1] = {
          ...previous,
          number: previous.number * multiplier,
          end: token.end,
          text: text.slice(previous.start, token.end),
        }
      } else tokens.push(token)
      if (isContraction(text, token)) tokens.push(tokenOf('word', 'is', token.end, token.end))
      position = Math.max(token.end, position + 1)
    }
  }
  return tokens
}

const WHITE = /\s/u
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
])

/** Reads a quotation on one line. An apostrophe inside a word isn't a quotation mark. */
function quoteAt(text: string, start: number): Token | undefined {
  const closing = CLOSING.get(text[start] as string)
  if (closing === undefined || LETTER.test(text[start - 1] ?? ' ')) return undefined
  let end = text.indexOf(closing, start + 1)
  for (let tries = 0; end > 0 && tries < 5 && closing === "'" && LETTER.test(text[end + 1] ?? ' '); tries++)
    end = text.indexOf(closing, end + 1)
  if (end <= start + 1 || text.slice(start, end).includes('\n')) return undefined
  return tokenOf('quote', text.slice(start + 1, end), start, end + 1)
}

const LETTER = /[\p{L}\p{N}]/u
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['url', /(?:https?:\/\/|www\.)[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]/iuy],
  ['email', /[\p{L}\p{N}_%+-]{1,64}(?:\.[\p{L}\p{N}_%+-]{1,64}){0,4}@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64}){1,5}/uy],
  ['id', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}])/iuy],
  ...DATE_PATTERNS.map((pattern) => ['date', pattern] as const),
  ['time', /\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?![\p{L}\p{N}])/iuy],
  ['time', /(?<=\bat\s)\d{1,2}(?=\sto\s)/iuy],
  ['time', /\d{1,2}\s?[ap]m(?![\p{L}\p{N}])/iuy],
  ['time', /(?:noon|midnight)(?![\p{L}\p{N}])/iuy],
  ['id', /\d{1,5}(?:\.\d{1,5}){2,5}(?![\p{L}\p{N}])/uy],
  ['id', /\d{1,6}(?:-\d{1,6}){2,6}(?![\p{L}\p{N}])/uy],
  ['url', /(?:~|\.{1,2})?\/[\p{L}\p{N}_.-]{1,64}(?:\/[\p{L}\p{N}_.-]{0,64}){0,12}(?<![.])/uy],
  ['word', /\d{4}[-–]\d{2,4}(?![\p{L}\p{N}-])/uy],
  ['id', /#\d{1,20}(?![\p{L}\p{N}])/uy],
  ['id', /\p{L}{1,24}[-_]\d[\p{L}\p{N}_-]{0,64}/uy],
  ['id', /\p{Lu}{1,8}\d[\p{L}\p{N}-]{2,64}/uy],
  [
    'formula',
    /(?=[^\s,;]{0,80}[\^*])[\p{L}\p{N}().^*+/=-]{0,80}[\p{L}\p{N})](?:\s[-+*/=]\s[\p{L}\p{N}().^*/]{0,40}[\p{L}\p{N})])*/uy,
  ],
  ['number', /(?<![[(=,])[-+]?[$€£]?\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?/uy],
  ['number', /[-+]?[$€£]?\d+(?:\.\d+)?(?:e[-+]?\d{1,3})?/uy],
  ['word', /[\p{L}\p{M}\p{N}_]+(?:[.'’&-][\p{L}\p{M}\p{N}_]+)*(?:[#+]{1,2}(?![\p{L}\p{N}]))?/uy],
]

function patternAt(text: string, start: number): Token | undefined {
  const before = text[start - 1] ?? ' '
  for (const [kind, pattern] of PATTERNS) {
    if (kind !== 'word' && kind !== 'number' && LETTER.test(before)) continue
    if (kind === 'number' && /[-+]/.test(text[start] as string) && LETTER.test(before)) continue
    pattern.lastIndex = start
    const found = pattern.exec(text)?.[0]
    if (found !== undefined && found !== '') return tokenOf(kind, found, start, start + found.length)
  }
  return undefined
}

/** Returns true for a contraction such as "what's". */
function isContraction(text: string, { kind, start, end }: Token): boolean {
  return kind === 'word' && CONTRACTION.test(text.slice(start, end))
}

const CONTRACTION = /^(?:what|where|who|how|when|which|there)['’]s$/i

function signAt(text: string, start: number): Token {
  return tokenOf('sign', text[start] as string, start, start + 1)
}

function tokenOf(kind: TokenKind, written: string, start: number, end: number): Token {
  const text = kind === 'word' ? written.replace(/['’](?:s|re|m|ll|d|ve)$/iu, '') : written
  const lower = text.toLowerCase()
  const number = kind === 'number' ? Number(text.replace(/[$€£,+]/g, '')) : kind === 'word' ? numberOfWord(lower) : undefined
  return { kind, text, lower, stem: kind === 'word' ? stem(lower) : lower, start, end, ...(number !== undefined && { number }) }
}
