/** Finds a dialect's markers, which are fixed strings, in text as it arrives. */
import { ANY_NUMBER, type MarkerPatterns, type MarkerVariant, SPACE, toPattern, toPatterns } from './marker-patterns.ts'

/**
 * A string, or several alternative strings. In a string made by `loose`, each space matches white space or nothing, and `NUMBER`
 * matches up to three digits or nothing.
 */
export type Marker = string | LooseMarker | readonly (string | LooseMarker)[]

/** A marker with optional white space: `loose('< / parameter >')`. */
export interface LooseMarker {
  readonly loose: string
}

export const NUMBER = '\0'

export function loose(text: string): LooseMarker {
  return { loose: text }
}

export interface MarkerMatch<Key extends string> {
  /** Key of the marker. Undefined if the text from `start` may still become a marker. */
  readonly key: Key | undefined
  readonly start: number
  readonly end: number
}

/** Finds the first of several markers. If one marker is the beginning of another, the longest match wins. */
export class MarkerSet<Key extends string = string> {
  readonly #markers: Readonly<Record<Key, Marker>>
  #made: MarkerPatterns<Key> | undefined
  #firsts: Firsts | undefined

  constructor(markers: Readonly<Record<Key, Marker>>) {
    for (const [key, marker] of Object.entries<Marker>(markers)) assertMarker(key, marker)
    this.#markers = markers
  }

  /** Characters with which the markers start, not counting optional white space. */
  get firstUnits(): string {
    this.#firsts ??= firstsOf(this.#markers)
    return this.#firsts.units
  }

  has(key: Key): boolean {
    return textsOf(this.#markers[key] ?? []).length > 0
  }

  /**
   * Finds the first marker at or after a position. If the text may end in the middle of an earlier marker, returns its position
   * without a key, unless the text is over.
   */
  find(text: string, from: number, isOver: boolean): MarkerMatch<Key> | undefined {
    const first = this.#findStart(text, from)
    if (first === text.length) return undefined
    const { whole } = this.#patterns
    whole.lastIndex = first
    const match = whole.exec(text)
    const begun = isOver ? undefined : this.#findBegun(text, first, match === null ? text.length : match.index)
    if (begun !== undefined) return { key: undefined, start: begun, end: text.length }
    return match === null ? undefined : this.#toFound(match, isOver)
  }

  /** Matches a marker at exactly this position. The result has no key if more text is needed to decide. */
  match(text: string, at: number, isOver: boolean): MarkerMatch<Key> | undefined {
    const { starts, here, begunHere, longest } = this.#patterns
    if (starts !== undefined && at < text.length && !starts.has(text.charCodeAt(at))) return undefined
    here.lastIndex = at
    const match = here.exec(text)
    if (match !== null) return this.#toFound(match, isOver)
    if (isOver || text.length - at > longest) return undefined
    if (at === text.length) return { key: undefined, start: at, end: at }
    begunHere.lastIndex = at
    return begunHere.test(text) ? { key: undefined, start: at, end: text.length } : undefined
  }

  /** The markers' patterns. Created on first use, because most sets are never used. */
  get #patterns(): MarkerPatterns<Key> {
    this.#made ??= toPatterns(variantsOf(this.#markers))
    return this.#made
  }

  #findStart(text: string, from: number): number {
    this.#firsts ??= firstsOf(this.#markers)
    const { start } = this.#firsts
    if (start === undefined) return this.#findAnyStart(text, from)
    const found = text.indexOf(start, from)
    return found < 0 ? text.length : found
  }

  #findAnyStart(text: string, from: number): number {
    const { starts, start } = this.#patterns
    if (starts === undefined || start === undefined) return from
    if (text.length - from > SHORT) {
      start.lastIndex = from
      return start.test(text) ? start.lastIndex - 1 : text.length
    }
    let at = from
    while (at < text.length && !starts.has(text.charCodeAt(at))) at++
    return at
  }

  /** Returns the position of a marker that may have begun at the end of the text, if that position is before `limit`. */
  #findBegun(text: string, from: number, limit: number): number | undefined {
    const { begun, longest } = this.#patterns
    const start = Math.max(from, text.length - longest)
    if (start >= limit) return undefined
    const match = begun.exec(start === 0 ? text : text.slice(start))
    return match !== null && start + match.index < limit ? start + match.index : undefined
  }

  #toFound(match: RegExpExecArray, isOver: boolean): MarkerMatch<Key> {
    const { keys, hasLonger } = this.#patterns
    const { input, index: start } = match
    // The variant that matches is the one whose capture group equals the whole match.
    const variant = match.indexOf(match[0], 1) - 1
    return !isOver && hasLonger[variant] && this.#mayGrow(input, start)
      ? { key: undefined, start, end: input.length }
      : { key: keys[variant], start, end: start + match[0].length }
  }

  /** Returns true if the text at this position may become a longer marker. */
  #mayGrow(text: string, at: number): boolean {
    const { longerHere, longest } = this.#patterns
    if (text.length - at > longest) return false
    longerHere.lastIndex = at
    return longerHere.test(text)
  }
}

/** Length up to which a loop is faster than a regular expression. */
const SHORT = 8

function assertMarker(key: string, marker: Marker): void {
  const isEmpty = textsOf(marker).some((one) => spacedOf(one).trim() === '' && one !== '\n')
  if (isEmpty) throw new TypeError(`The marker "${key}" is empty and would match everywhere. Remove it, or give it some text.`)
}

/** Returns the variants of a marker. */
export function textsOf(marker: Marker): readonly (string | LooseMarker)[] {
  return Array.isArray(marker) ? (marker as readonly (string | LooseMarker)[]) : [marker as string | LooseMarker]
}

/** Returns the text of a variant, with a space wherever white space is optional. */
export function spacedOf(variant: string | LooseMarker): string {
  return typeof variant === 'string' ? variant : variant.loose
}

/** The first characters of markers. */
interface Firsts {
  /** Undefined if the markers start differently, or one starts with optional white space or a number. */
  readonly start: string | undefined
  /** All of them, not counting optional white space. */
  readonly units: string
}

function firstsOf(markers: Readonly<Record<string, Marker>>): Firsts {
  const texts = Object.values(markers).flatMap(textsOf)
  const starts = new Set(
    texts.map((text) => (typeof text === 'string' ? text.charAt(0) : text.loose.charAt(0).replace(/[ \0]/, ''))),
  )
  const units = new Set(texts.map((text) => (typeof text === 'string' ? text : text.loose.trimStart()).charAt(0)))
  return { start: starts.size === 1 && !starts.has('') ? [...starts][0] : undefined, units: [...units].join('') }
}

function variantsOf<Key extends string>(markers: Readonly<Record<Key, Marker>>): MarkerVariant<Key>[] {
  return (Object.keys(markers) as Key[]).flatMap((key) => textsOf(markers[key]).map((text) => ({ key, tokens: toTokens(text) })))
}

function toTokens(text: string | LooseMarker): readonly string[] {
  return typeof text === 'string' ? text.split('').map(toPattern) : text.loose.split('').map(escapeLoose)
}

function escapeLoose(unit: string): string {
  if (unit === ' ') return SPACE
  return unit === NUMBER ? ANY_NUMBER : toPattern(unit)
}

/** Returns the marker with optional white space before it. */
export function afterSpace(marker: Marker): Marker {
  return textsOf(marker).map((one) => loose(` ${spacedOf(one)}`))
}
