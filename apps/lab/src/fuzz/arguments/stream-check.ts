/**
 * Streams text in chunks. Checks that partial values only grow, that the reported changes are correct and complete, and that the result is
 * the same as for parsing the whole text at once.
 */
import { isDeepStrictEqual } from 'node:util'
import { findLoss, isContainer, isSameValue } from '../../conformance/same-value.ts'
import { createRandom } from '../random.ts'
import type { Fault } from '../target.ts'
import type { ArgumentSample } from './argument-samples.ts'
import { findUnsafe } from './unsafe-value.ts'

export interface ArgumentStreamReader {
  readonly value: unknown
  snapshot(): unknown
  push(delta: string): readonly Change[]
  end(): unknown
}

interface Change {
  readonly pointer: string
  readonly isComplete: boolean
  readonly text?: string | undefined
  readonly value: unknown
}

/**
 * Maximum length of text for which every change is checked, in UTF-16 units. Copying the value after every chunk takes quadratic time.
 */
const WATCHED_LENGTH = 1000

export function checkStream(stream: ArgumentStreamReader, whole: unknown, { text, cuts }: ArgumentSample): Fault | undefined {
  const watch = text.length <= WATCHED_LENGTH ? new StreamWatch(stream, text) : undefined
  for (const piece of toPieces(text, cuts)) {
    const changes = stream.push(piece)
    const fault = watch?.look(changes)
    if (fault !== undefined) return fault
  }
  const end = stream.end()
  if (!isDeepStrictEqual(end, whole))
    return {
      check: 'stream: the end equals that of the whole text',
      why: `${JSON.stringify(end)}, the whole ${JSON.stringify(whole)}`,
    }
  return watch?.lookAtEnd(end)
}

/** Splits text into chunks of up to 2, 8 or 24 units, or of any length. Some chunks are empty. */
function toPieces(text: string, cuts: ArgumentSample['cuts']): readonly string[] {
  if (cuts === 'units') return text.split('')
  const random = createRandom(cuts)
  const most = random.pick([2, 8, 24, text.length + 1])
  const pieces: string[] = []
  for (let index = 0; index < text.length; ) {
    const length = random.below(most + 1)
    pieces.push(text.slice(index, index + length))
    index += length
  }
  return pieces
}

/** Checks one stream after each chunk. */
class StreamWatch {
  readonly #stream: ArgumentStreamReader
  readonly #text: string
  readonly #root: unknown
  readonly #complete = new Set<string>()
  readonly #texts = new Map<string, string>()
  #shown: unknown
  #isObject = true

  constructor(stream: ArgumentStreamReader, text: string) {
    this.#stream = stream
    this.#text = readEscapes(text)
    this.#root = stream.value
    this.#shown = copyValue(stream.value)
  }

  look(changes: readonly Change[]): Fault | undefined {
    const { value } = this.#stream
    if (value !== this.#root) return fault('one live object', 'the value became another object')
    if (!isSameValue(this.#shown, value)) {
      if (changes.length === 0)
        return fault('changes are reported', `${show(this.#shown)}, then ${show(value)}, without a change`)
      const lost = findLoss(this.#shown, value)
      if (lost !== undefined && !this.#isRepeated(lost))
        return fault('the value only grows', `${show(this.#shown)}, then ${show(value)}`)
      this.#shown = copyValue(value)
    }
    return this.#lookAtChanges(changes, value)
  }

  /** Checks that the final value, if there is one, contains everything that was shown. */
  lookAtEnd(end: unknown): Fault | undefined {
    const snapshot = this.#stream.snapshot()
    const isSnapshot = isSameValue(snapshot, this.#stream.value) && snapshot !== this.#root
    if (!isSnapshot) return fault('a snapshot is a copy of the value', `${show(snapshot)}, not ${show(this.#stream.value)}`)
    const unsafe = findUnsafe(snapshot)
    if (unsafe !== undefined) return fault('safe', unsafe)
    if (!isContainer(end) || end.ok !== true) return undefined
    const isClean = Array.isArray(end.tags) && end.tags.length === 0
    if (isClean && !isSameValue(snapshot, end.value))
      return fault('all of valid JSON is shown at the end', `${show(snapshot)}, but ${show(end.value)} at the end`)
    const lost = findLoss(this.#shown, end.value)
    if (lost === undefined || this.#isRepeated(lost)) return undefined
    return fault('everything shown is in the final value', `${show(this.#shown)}, but ${show(end.value)} at the end`)
  }

  #lookAtChanges(changes: readonly Change[], shown: unknown): Fault | undefined {
    // Arguments that aren't an object have no partial value. They are refused at the end.
    this.#isObject &&= changes.every(({ pointer, value }) => pointer !== '' || (isContainer(value) && !Array.isArray(value)))
    if (!this.#isObject) return undefined
    const last = new Map<string, Change>()
    for (const change of changes) {
      const { pointer, isComplete, text } = change
      const path = toPath(pointer)
      if (this.#isRepeated(path)) continue
      if (this.#complete.has(pointer)) return fault('a position completes only once', pointer)
      if (isComplete) this.#complete.add(pointer)
      if (text !== undefined) this.#texts.set(pointer, (this.#texts.get(pointer) ?? '') + text)
      last.set(pointer, change)
    }
    for (const [pointer, { value }] of last) {
      const found = resolve(shown, toPath(pointer))
      if (!isSameValue(found, value))
        return fault('a change contains the value', `${pointer}: ${show(value)}, but the value is ${show(found)}`)
      const text = this.#texts.get(pointer)
      if (text !== undefined && text !== found)
        return fault('texts grow as reported', `${pointer}: ${show(text)}, but the text is ${show(found)}`)
    }
    return undefined
  }

  /** Returns true if a key in the path may occur twice in an object. The last value is used then, so a partial value may change. */
  #isRepeated(path: readonly string[]): boolean {
    return path.some((key) => {
      if (!/^\d+$/.test(key)) return this.#text.split(key).length > 2
      return this.#text.split(new RegExp(`["'\`“”]${key}["'\`“”]|[{,]\\s*${key}\\s*[:=]|[{,]\\s*${key}["'\`“”]`)).length > 2
    })
  }
}

function copyValue(value: unknown): unknown {
  if (!isContainer(value)) return value
  if (Array.isArray(value)) return value.map(copyValue)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyValue(inner)]))
}

/** Splits a JSON pointer into keys. */
function toPath(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function resolve(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)
}

/** Decodes escapes, because a key that is written with escapes is the same key. */
function readEscapes(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\(["\\/'])/g, '$1')
}

function fault(check: string, why: string): Fault {
  return { check: `stream: ${check}`, why }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
