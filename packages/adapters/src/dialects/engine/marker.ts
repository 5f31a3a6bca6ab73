/** Markers: the fixed texts between which a dialect writes, found in a text that is still coming. */

/**
 * One text, or several that mean the same. In one that `loose` made, a space stands for any white space, or none, and `NUMBER` for up
 * to three digits, or none.
 */
export type Marker = string | LooseMarker | readonly (string | LooseMarker)[]

/** A marker with room for white space; `loose('< / parameter >')`. */
export interface LooseMarker {
  readonly loose: string
}

export const NUMBER = '\0'

export function loose(text: string): LooseMarker {
  return { loose: text }
}

/** The most white space that a loose marker has room for in one place: a text that is held back has a limit. */
const ROOM = 32

export interface Found<Key extends string> {
  /** What was found; undefined for what may still become a marker and begins at `start`. */
  readonly key: Key | undefined
  readonly start: number
  readonly end: number
}

/** Finds the first of several markers. Where one begins with another, the longest that is there is found. */
export class MarkerSet<Key extends string = string> {
  /** The units with which a marker may begin, white space of a loose one aside. */
  readonly firstUnits: string
  readonly #keys: Key[] = []
  readonly #whole: RegExp
  readonly #here: RegExp
  readonly #begun: RegExp
  readonly #begunHere: RegExp
  /** The beginnings of markers that begin with another marker: where one of these may still come, the other isn't found yet. */
  readonly #longerHere: RegExp | undefined
  /** The longest text that is a marker. */
  readonly #longest: number
  /** By unit: whether a marker may begin with it. Most texts have none, and need no pattern. */
  readonly #starts: ReadonlySet<number>
  /** The unit with which all of them begin, if they do. */
  readonly #start: string | undefined
  /** Some begin with white space, or with a number. */
  readonly #startsLoosely: boolean

  constructor(markers: Readonly<Record<Key, Marker>>) {
    for (const [key, marker] of Object.entries<Marker>(markers)) assertMarker(key, marker)
    const variants = (Object.keys(markers) as Key[]).flatMap((key) => variantsOf(markers[key]).map((tokens) => ({ key, tokens })))
    variants.sort((one, other) => textOf(other.tokens).length - textOf(one.tokens).length)
    const whole = variants.map(({ tokens }) => `(${tokens.join('')})`).join('|')
    const begun = variants.map(({ tokens }) => beginning(tokens)).join('|')
    for (const { key } of variants) this.#keys.push(key)
    const heads = headsOf(variants.map(({ tokens }) => tokens))
    const wholeAhead = heads.map(({ before, last }) => before.join('') + last).join('|')
    const begunAhead = heads
      .map(({ before, last }) => before.reduceRight((rest, token) => `${token}(?:${rest}|$)`, last))
      .join('|')
    this.#whole = new RegExp(whole ? `(?=${wholeAhead})(?:${whole})` : '(?!)', 'g')
    this.#here = new RegExp(whole || '(?!)', 'y')
    this.#begun = new RegExp(begun ? `(?=${begunAhead})(?:${begun})$` : '(?!)')
    this.#begunHere = new RegExp(`(?:${begun || '(?!)'})$`, 'y')
    const longer = longerOnes(variants.map(({ tokens }) => tokens))
    if (longer.length > 0) this.#longerHere = new RegExp(`(?:${longer.join('|')})$`, 'y')
    this.#starts = new Set(variants.map(({ tokens }) => unitOf(tokens[0])))
    this.#start = this.#starts.size === 1 ? String.fromCharCode(...this.#starts) : undefined
    this.#startsLoosely = this.#starts.has(Number.NaN)
    this.firstUnits = [...new Set(Object.values<Marker>(markers).flatMap(firstUnitsOf))].join('')
    this.#longest = Math.max(0, ...variants.map(({ tokens }) => lengthOf(tokens)))
  }

  has(key: Key): boolean {
    return this.#keys.includes(key)
  }

  /** The first marker from a place on; before it, unless the text is over, the place where its end may become one. */
  find(text: string, from: number, isOver: boolean): Found<Key> | undefined {
    const first = this.#startsLoosely ? from : this.#findStart(text, from)
    if (first === text.length) return undefined
    this.#whole.lastIndex = first
    const match = this.#whole.exec(text)
    const begun = isOver ? undefined : this.#findBegun(text, first, match === null ? text.length : match.index)
    if (begun !== undefined) return { key: undefined, start: begun, end: text.length }
    if (match === null) return undefined
    return this.#mayGrow(text, match.index, isOver)
      ? { key: undefined, start: match.index, end: text.length }
      : this.#toFound(match)
  }

  /** The marker that begins at this very place; without a key, if more text has to come before that can be told. */
  match(text: string, at: number, isOver: boolean): Found<Key> | undefined {
    this.#here.lastIndex = at
    const match = this.#here.exec(text)
    if (match !== null && !this.#mayGrow(text, at, isOver)) return this.#toFound(match)
    if (match !== null) return { key: undefined, start: at, end: text.length }
    if (isOver || text.length - at > this.#longest) return undefined
    if (at === text.length) return { key: undefined, start: at, end: at }
    this.#begunHere.lastIndex = at
    return this.#begunHere.test(text) ? { key: undefined, start: at, end: text.length } : undefined
  }

  /** What begins here may become a longer marker. */
  #mayGrow(text: string, at: number, isOver: boolean): boolean {
    if (isOver || this.#longerHere === undefined || text.length - at > this.#longest) return false
    this.#longerHere.lastIndex = at
    return this.#longerHere.test(text)
  }

  #findStart(text: string, from: number): number {
    if (this.#start !== undefined) {
      const found = text.indexOf(this.#start, from)
      return found < 0 ? text.length : found
    }
    let at = from
    while (at < text.length && !this.#starts.has(text.charCodeAt(at))) at++
    return at
  }

  /** Where an end of the text that may become a marker begins, if that is before `limit`. */
  #findBegun(text: string, from: number, limit: number): number | undefined {
    const start = Math.max(from, text.length - this.#longest)
    if (start >= limit) return undefined
    const match = this.#begun.exec(start === 0 ? text : text.slice(start))
    return match !== null && start + match.index < limit ? start + match.index : undefined
  }

  #toFound(match: RegExpExecArray): Found<Key> {
    const group = match.findIndex((text, index) => index > 0 && text !== undefined)
    return { key: this.#keys[group - 1], start: match.index, end: match.index + match[0].length }
  }
}

function assertMarker(key: string, marker: Marker): void {
  const isEmpty = textsOf(marker).some((one) => (typeof one === 'string' ? one : one.loose).trim() === '' && one !== '\n')
  if (isEmpty) throw new TypeError(`The marker "${key}" is empty: it would be found everywhere. Leave it out, or write its text.`)
}

/** Its variants. */
export function textsOf(marker: Marker): readonly (string | LooseMarker)[] {
  return Array.isArray(marker) ? (marker as readonly (string | LooseMarker)[]) : [marker as string | LooseMarker]
}

function firstUnitsOf(marker: Marker): readonly string[] {
  return textsOf(marker).map((one) => (typeof one === 'string' ? one : one.loose.trimStart()).charAt(0))
}

function variantsOf(marker: Marker): readonly (readonly string[])[] {
  return textsOf(marker).map((one) =>
    typeof one === 'string' ? one.split('').map(toPattern) : one.loose.split('').map(escapeLoose),
  )
}

const SPACE = `\\s{0,${ROOM}}`
const DIGITS = 3
const ANY_NUMBER = `\\d{0,${DIGITS}}`

/** The longest text that a token stands for, where that is not one unit. */
const ROOMS: ReadonlyMap<string, number> = new Map([
  [SPACE, ROOM],
  [ANY_NUMBER, DIGITS],
])

function toPattern(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function escapeLoose(unit: string): string {
  if (unit === ' ') return SPACE
  return unit === NUMBER ? ANY_NUMBER : toPattern(unit)
}

/** The unit for which a token stands; NaN for one that stands for more. */
function unitOf(token: string | undefined): number {
  return token === undefined || ROOMS.has(token) ? Number.NaN : Number.parseInt(token.slice(2), 16)
}

interface Head {
  readonly before: readonly string[]
  /** Any unit that may come next. */
  readonly last: string
}

/**
 * With what the variants begin, up to the first unit behind white space: looked at once and not once for each of them, which would
 * cost many steps for each line break of a long run.
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
  // A variant that begins with room has no unit there.
  return [...heads.values()].flatMap(({ before, units }) => {
    const rooms = [...units].filter((token) => ROOMS.has(token)).map((last) => ({ before, last }))
    const plain = [...units].filter((token) => !ROOMS.has(token))
    return plain.length === 0 ? rooms : [...rooms, { before, last: `[${plain.join('')}]` }]
  })
}

/** Matches any beginning of the tokens, but not nothing. */
function beginning(tokens: readonly string[]): string {
  return tokens.reduceRight((rest, token) => (rest === '' ? token : `${token}(?:${rest})?`), '')
}

/** Without its room for white space and numbers. */
function textOf(tokens: readonly string[]): string {
  return String.fromCharCode(...tokens.filter((token) => !ROOMS.has(token)).map(unitOf))
}

/**
 * Of each variant that begins with another one: a pattern of its beginnings, without all of it. White space of the other one may be
 * what this one has room for.
 */
function longerOnes(variants: readonly (readonly string[])[]): readonly string[] {
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
  return variants.filter(isLonger).map((tokens) => beginning(tokens.slice(0, -1)))
}

function lengthOf(tokens: readonly string[]): number {
  return tokens.reduce((length, token) => length + (ROOMS.get(token) ?? 1), 0)
}

/** The same marker with white space before it. */
export function afterSpace(marker: Marker): Marker {
  return textsOf(marker).map((one) => loose(` ${typeof one === 'string' ? one : one.loose}`))
}
