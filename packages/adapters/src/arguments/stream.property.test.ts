import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutInto, numRuns, ordinary, sizes } from '../../test/arguments/texts.ts'
import { argumentStream, parseArguments, recoverJson } from './index.ts'

const isForbidden = (text: string) => text.includes('__proto__') || text.includes('constructor')

const json = fc.json({ maxDepth: 4 }).filter((text) => !isForbidden(text))
const args = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !isForbidden(text))

const PIECES = [
  '"',
  "'",
  '`',
  '“',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '\\',
  '\n',
  ' ',
  '//',
  '/*',
  '*/',
  '#',
  '```',
  '...',
  '+',
  '-',
  '.',
  ';',
  '=',
  'a',
  '1',
  'true',
  'None',
  '\u00a0',
  '</tool_call>',
]
const noise = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), { maxLength: 20 })
  .map((pieces) => pieces.join(''))
const cut = fc.record({ at: fc.nat(), remove: fc.nat({ max: 4 }), insert: fc.oneof(fc.constant(''), fc.constantFrom(...PIECES)) })
/** Arguments with up to three damaged places. */
const wounded = fc.tuple(args, fc.array(cut, { minLength: 1, maxLength: 3 })).map(([text, cuts]) =>
  cuts.reduce((rest, { at, remove, insert }) => {
    const place = at % (rest.length + 1)
    return rest.slice(0, place) + insert + rest.slice(place + remove)
  }, text),
)
type Wound = (whole: string) => string
const escapeQuotes: Wound = (whole) => whole.replaceAll('"', '\\"')
const dropLastQuote: Wound = (whole) => whole.replace(/"([^"]*)$/, '$1')
/** Faults that models make, each applied to the whole text. None of them changes the intended value. */
const WOUNDS: readonly Wound[] = [
  (whole) => `\`\`\`json\n${whole}\n\`\`\``,
  (whole) => `Sure, here it is:\n${whole}`,
  (whole) => `${whole}</tool_call>`,
  (whole) => `\uFEFF${whole}`,
  (whole) => whole.replaceAll('"', "'"),
  (whole) => whole.replaceAll(/"([^"]*)"/g, '“$1”'),
  (whole) => whole.replaceAll(/"([^"]*)":/g, '$1:'),
  (whole) => whole.replaceAll(/: "([^"]*)"/g, ': $1'),
  (whole) => whole.replaceAll(/\n( *[\]}])/g, ',\n$1'),
  (whole) => whole.replaceAll(',\n', '\n'),
  (whole) => whole.replaceAll(',\n', ', // and\n'),
  (whole) => whole.replaceAll(': ', ' '),
  (whole) => whole.replaceAll('true', 'True').replaceAll('false', 'False').replaceAll('null', 'None'),
  escapeQuotes,
  (whole) => whole.replaceAll('"', '""'),
  (whole) => whole.replaceAll(/[\]}]$/g, ''),
  (whole) => `${whole}}`,
  (whole) => `${whole}${whole}`,
  (whole) => whole.replace(',', ''),
  (whole) => whole.replace('"', ''),
  dropLastQuote,
]
/** Values for which the faults leave half a quote: `\na` was parsed as a line break and `a`, and `\n1` as a line break and 1. */
const halfQuoted = (value: Record<string, unknown>): [value: Record<string, unknown>, wounds: Wound[]] => [
  value,
  [dropLastQuote, escapeQuotes, dropLastQuote],
]
const HALF_QUOTED = [
  ...['na', 'n a', 'fa'].map((key) => ({ a: null, [key]: false })),
  ...['n1', 't1', 'tnull', 'r-1', 'n true'].map((text) => ({ a: text })),
]
const text = fc.oneof(wounded, noise, args, json)

describe('any text', () => {
  it('yields the value of JSON.parse, without a tag, if it is JSON', () => {
    fc.assert(
      fc.property(json, (whole) => {
        expect(recoverJson(whole)).toEqual({ ok: true, value: JSON.parse(whole), tags: [] })
      }),
      { numRuns },
    )
  })

  it("yields a value with a tag or a refusal with a code if it isn't JSON", () => {
    fc.assert(
      fc.property(fc.oneof(wounded, noise), (whole) => {
        fc.pre(!isJson(whole))
        const read = recoverJson(whole)
        expect(read.ok ? read.tags.length : read.code.length).toBeGreaterThan(0)
      }),
      { numRuns },
    )
  })

  it('yields its value with a tag, or a refusal, if it was JSON before it was damaged', () => {
    fc.assert(
      fc.property(ordinary, fc.array(fc.constantFrom(...WOUNDS), { minLength: 1, maxLength: 3 }), (value, wounds) => {
        const whole = wounds.reduce((rest, wound) => wound(rest), JSON.stringify(value, null, 1))
        const read = recoverJson(whole)
        expect([whole, read.ok ? read.value : value]).toEqual([whole, value])
        if (read.ok && !isJson(whole)) expect([whole, read.tags]).not.toEqual([whole, []])
      }),
      { numRuns, examples: HALF_QUOTED.map(halfQuoted) },
    )
  })

  it('yields the same result whole and in pieces of any size', () => {
    fc.assert(
      fc.property(text, sizes, fc.constantFrom(undefined, 'stop', 'length'), (whole, lengths, finishReason) => {
        const stream = argumentStream()
        for (const delta of cutInto(whole, lengths)) stream.push(delta)
        const complete = finishReason === undefined ? undefined : finishReason === 'stop'
        expect(stream.end({ finishReason })).toEqual(parseArguments(whole, { complete }))
      }),
      { numRuns },
    )
  })

  it('yields the value of JSON.parse if it is an object in pieces of any size', () => {
    fc.assert(
      fc.property(args, sizes, (whole, lengths) => {
        const stream = argumentStream()
        for (const delta of cutInto(whole, lengths)) stream.push(delta)
        expect(stream.value).toEqual(JSON.parse(whole))
        expect(stream.end()).toMatchObject({ ok: true, tags: [] })
      }),
      { numRuns },
    )
  })

  it('only adds to strings, lists and keys while it streams, and never changes completed values', () => {
    fc.assert(
      fc.property(text, sizes, (whole, lengths) => {
        const stream = argumentStream()
        const complete = new Set<string>()
        let before: unknown = {}
        for (const delta of cutInto(whole, lengths)) {
          for (const { pointer, isComplete } of stream.push(delta)) {
            // A repeated key replaces the first one.
            if (complete.has(pointer)) return
            if (isComplete) complete.add(pointer)
          }
          const now = stream.snapshot()
          expect([whole, grows(before, now)]).toEqual([whole, true])
          before = now
        }
      }),
      { numRuns },
    )
  })

  it('reports every addition to a string, and the additions make up the whole string', () => {
    fc.assert(
      fc.property(args, sizes, (whole, lengths) => {
        const stream = argumentStream()
        const grown = new Map<string, string>()
        for (const delta of cutInto(whole, lengths)) {
          for (const { pointer, text: part, isComplete, value } of stream.push(delta)) {
            if (part !== undefined) grown.set(pointer, (grown.get(pointer) ?? '') + part)
            if (part !== undefined && isComplete) expect(grown.get(pointer)).toBe(value)
          }
        }
      }),
      { numRuns },
    )
  })
})

function isJson(whole: string): boolean {
  try {
    JSON.parse(whole)
    return true
  } catch {
    return false
  }
}

function grows(before: unknown, now: unknown): boolean {
  if (typeof before === 'string') return typeof now === 'string' && now.startsWith(before)
  if (typeof before !== 'object' || before === null) return Object.is(before, now)
  if (typeof now !== 'object' || now === null || Array.isArray(before) !== Array.isArray(now)) return false
  return Object.entries(before).every(
    ([key, value]) => Object.hasOwn(now, key) && grows(value, (now as Record<string, unknown>)[key]),
  )
}
