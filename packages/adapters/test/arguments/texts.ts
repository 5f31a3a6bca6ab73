/** Arguments for property tests, and the ways in which a model may write them. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { argumentStream, type ParsedArguments, parseArguments, type RecoveryTag } from '../../src/arguments/index.ts'

/** Number of random cases. Nightly runs use more: X_PROPERTY_RUNS=100000. */
export const numRuns = Number(process.env.X_PROPERTY_RUNS ?? (process.env.X_FULL ? 3_000 : 150))

/** Keys and strings without JSON syntax, so that damage to the text always affects its structure. */
export const word = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6})?$/).filter((text) => !/true|false|null/.test(text))

export function valuesOf(text: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer({ min: -99, max: 99 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(word, tie('any'), { maxKeys: 3 }),
    ),
  })).any
}

/** Generates objects that contain these strings. */
export function argsOf(text: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(word, valuesOf(text), { minKeys: 1, maxKeys: 4 })
}

export const ordinary = argsOf(word)
export const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })

export function* cutInto(whole: string, lengths: readonly number[]): Generator<string> {
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const length = lengths[turn % lengths.length] as number
    yield whole.slice(at, at + length)
    at += length
  }
}

/** How tokens are written, where this differs from JSON. */
export interface Style {
  readonly text?: (text: string) => string
  readonly number?: (value: number) => string
  readonly colon?: string
  readonly comma?: string
}

export function write(value: unknown, style: Style = {}): string {
  const { text = JSON.stringify, number = String, colon = ': ', comma = ', ' } = style
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, style)).join(comma)}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${text(key)}${colon}${write(member, style)}`)
    .join(comma)}}`
}

const runs = { numRuns: Math.ceil(numRuns / 4) }

/** Returns the result for the whole text, after checking that a stream produces the same result. */
export function read(text: string, lengths: readonly number[]): ParsedArguments {
  const whole = parseArguments(text)
  for (const pieces of [[1], lengths]) {
    const stream = argumentStream()
    for (const delta of cutInto(text, pieces)) stream.push(delta)
    expect([text, stream.end()]).toEqual([text, whole])
  }
  return whole
}

/** A kind of text: random texts, each with the arguments that it represents. */
export type Kind = fc.Arbitrary<readonly [text: string, value: unknown]>

export function reads(kind: Kind, tag: RecoveryTag): void {
  fc.assert(
    fc.property(kind, sizes, ([text, value], lengths) => {
      const parsed = read(text, lengths)
      expect([text, parsed]).toMatchObject([text, { ok: true, value }])
      expect([text, parsed.ok && parsed.tags]).toEqual([text, expect.arrayContaining([tag])])
    }),
    runs,
  )
}

export function refuses(texts: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(texts, sizes, (text, lengths) => {
      expect([text, read(text, lengths)]).toMatchObject([text, { ok: false }])
    }),
    runs,
  )
}

export const json = ordinary.map((value) => [JSON.stringify(value), value] as const)
