/** Regular expressions that find markers, and the start of a marker at the end of the text. */

/** One spelling of a marker. Each token is a pattern for a code unit, for optional white space, or for an optional number. */
export interface MarkerVariant<Key extends string> {
  readonly key: Key
  readonly tokens: readonly string[]
}

export interface MarkerPatterns<Key extends string> {
  /** The key of each variant. In the patterns, each variant is a capture group in the same order. */
  readonly keys: readonly Key[]
  readonly whole: RegExp
  readonly here: RegExp
  /** The start of a marker at the end of the text. */
  readonly begun: RegExp
  readonly begunHere: RegExp
  /**
   * The start of a marker whose beginning is another, shorter marker. The shorter one isn't accepted until the text can no longer
   * become the longer one.
   */
  readonly longerHere: RegExp
  /** For each variant: true if it is the beginning of another variant. */
  readonly hasLonger: readonly boolean[]
  /** Length of the longest marker text. */
  readonly longest: number
  /**
   * Characters with which a marker may start. Most text contains none of them and needs no pattern match. Undefined if a marker
   * starts with optional white space.
   */
  readonly starts: ReadonlySet<number> | undefined
}

export function toPatterns<Key extends string>(variants: readonly MarkerVariant<Key>[]): MarkerPatterns<Key> {
  const sorted = variants
    .map(({ key, tokens }) => ({ key, tokens, text: textOf(tokens) }))
    .sort((one, other) => other.text.length - one.text.length)
  const all = sorted.map(({ tokens }) => tokens)
  const whole = all.map((tokens) => `(${tokens.join('')})`).join('|')
  const begun = all.map(beginning).join('|')
  const heads = headsOf(all)
  const wholeAhead = heads.map(({ before, last }) => before.join('') + last).join('|')
  const begunAhead = heads.map(({ before, last }) => before.reduceRight((rest, token) => `${token}(?:${rest}|$)`, last)).join('|')
  const longer = longerOnes(all)
  const solids = longer.map((tokens) => solidOf(textOf(tokens)))
  const starts = new Set(all.map((tokens) => unitOf(tokens[0])))
  return {
    keys: sorted.map(({ key }) => key),
    whole: new RegExp(whole ? `(?=${wholeAhead})(?:${whole})` : '(?!)', 'g'),
    here: new RegExp(whole || '(?!)', 'y'),
    begun: new RegExp(begun ? `(?=${begunAhead})(?:${begun})$` : '(?!)'),
    begunHere: new RegExp(`(?:${begun || '(?!)'})$`, 'y'),
    longerHere: new RegExp(`(?:${longer.map(beginning).join('|') || '(?!)'})$`, 'y'),
    hasLonger: sorted.map(({ text }) => solids.some((other) => other.startsWith(solidOf(text)))),
    longest: Math.max(0, ...all.map(lengthOf)),
    starts: starts.has(Number.NaN) ? undefined : starts,
  }
}

/** Maximum number of white-space characters that a loose marker accepts in one place. This limits the text that is held back. */
const ROOM = 32

export const SPACE = `\\s{0,${ROOM}}`
const DIGITS = 3
export const ANY_NUMBER = `\\d{0,${DIGITS}}`

/** Maximum length of the tokens that match more than one character. */
const ROOMS: ReadonlyMap<string, number> = new Map<string, number>([
  [SPACE, ROOM],
  [ANY_NUMBER, DIGITS],
])

export function toPattern(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns the code unit that a token matches. Returns NaN for optional white space and numbers. */
function unitOf(token: string | undefined): number {
  return token === undefined || ROOMS.has(token) ? Number.NaN : Number.parseInt(token.slice(2), 16)
}

interface Head {
  readonly before: readonly string[]
  /** Pattern for the code units that may come next. */
  readonly last: string
}

/**
 * Returns the beginnings of the variants, up to the first code unit after white space. Variants with the same beginning share one
 * check. Otherwise, a long run of line breaks would take many steps per line break.
 */
function headsOf(variants: readonly (readonly string[])[]): readonly Head[] {
  const heads = new Map<string, { before: readonly string[]; units: Set<string> }>()
  for (const tokens of variants) {
    const found = ROOMS.has(tokens[1] ?? '') ? tokens.findIndex((token, index) => index > 0 && !ROOMS.has(token)) : 0
    const end = Math.max(0, found)
    const before = tokens.slice(0, end)
    const head = heads.get(before.join('')) ?? { before, units: new Set<string>() }
    head.units.add(tokens[end] as string)
    heads.set(before.join(''), head)
  }
  // For a variant that starts with optional white space, the first token isn't a code unit.
  return [...heads.values()].flatMap(({ before, units }) => {
    const rooms = [...units].filter((token) => ROOMS.has(token)).map((last) => ({ before, last }))
    const plain = [...units].filter((token) => !ROOMS.has(token))
    return plain.length === 0 ? rooms : [...rooms, { before, last: `[${plain.join('')}]` }]
  })
}

/** Returns a pattern for any non-empty beginning of the tokens. */
function beginning(tokens: readonly string[]): string {
  return tokens.reduceRight((rest, token) => (rest === '' ? token : `${token}(?:${rest})?`), '')
}

/** Returns the text of the tokens without optional white space and numbers. */
function textOf(tokens: readonly string[]): string {
  return String.fromCharCode(...tokens.filter((token) => !ROOMS.has(token)).map(unitOf))
}

/** Returns the text without white space and digits, which may be optional in other markers. */
function solidOf(text: string): string {
  return text.replace(/[\s\d]/g, '')
}

/**
 * Returns the variants that start with another variant. White space in the shorter one may match optional white space in the
 * longer one.
 */
function longerOnes(variants: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const texts = new Set(variants.map(textOf))
  const spaced = [...texts].filter((text) => /\s/.test(text))
  const isLonger = (tokens: readonly string[]) => {
    const last = tokens.findLastIndex((token) => !ROOMS.has(token))
    if (last <= 0) return false
    const begun = tokens.slice(0, last)
    const text = textOf(begun)
    for (let length = 1; length <= text.length; length++) if (texts.has(text.slice(0, length))) return true
    if (spaced.length === 0 || !begun.some((token) => ROOMS.has(token))) return false
    const pattern = new RegExp(`^(?:${beginning(begun)})$`)
    return spaced.some((other) => pattern.test(other))
  }
  return variants.filter(isLonger).map((tokens) => tokens.slice(0, -1))
}

function lengthOf(tokens: readonly string[]): number {
  return tokens.reduce((length, token) => length + (ROOMS.get(token) ?? 1), 0)
}
