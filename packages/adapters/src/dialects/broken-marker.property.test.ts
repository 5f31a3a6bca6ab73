/**
 * Property tests of replies with two calls and a broken marker: the other call is parsed, a lost call is reported, and no call is
 * invented.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allDialects } from '../../test/dialects/dialects.ts'
import { FIRST, SECOND, tools } from '../../test/dialects/two-calls.ts'
import { parseArguments } from '../arguments/parse.ts'
import type { LMResponse, RawToolCall } from '../protocol/protocol.ts'
import { readPieces } from '../testing/dialect-checks/reading.ts'
import type { Dialect, DialectReading } from './define/dialect.ts'

const runs = process.env.X_FULL ? 400 : 20

interface TwoCalls {
  readonly name: string
  readonly dialect: Dialect
  readonly text: string
  /** The position at which the second call begins. */
  readonly middle: number
}

/** Dialects that write two calls in one turn. A common end marker counts as part of the second call. */
const written = allDialects.flatMap((dialect): TwoCalls[] => {
  const both = dialect.formatCalls([FIRST, SECOND])
  const last = dialect.formatCalls([SECOND])
  if (!both.ok || !last.ok) return []
  const { text } = both
  let same = 0
  while (same < text.length && text.at(-1 - same) === last.text.at(-1 - same)) same++
  return [{ name: dialect.name, dialect, text, middle: Math.min(text.length - same, text.indexOf(SECOND.name)) }]
})

const slip = fc.record({
  place: fc.nat(),
  /** Number of characters to remove, if there are that many. */
  lost: fc.nat({ max: 3 }),
  doubled: fc.nat({ max: 4 }),
  added: fc.constantFrom('', '', '>', '<', '"', '|', '\n', ']', '}', '/', 'e=', 'x', '`', "'", ' ', ':', '<|', '</', '"="'),
  cuts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
})
type Slip = typeof slip extends fc.Arbitrary<infer Value> ? Value : never

function damage(text: string, { place, lost, doubled, added }: Slip): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + added + text.slice(Math.max(0, at - doubled), at) + text.slice(at + lost)
}

function cutInto(text: string, cuts: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0)
    pieces.push(text.slice(at, at + (cuts[pieces.length % cuts.length] as number)))
  return pieces
}

const isWhole = ({ name, arguments: json, truncated }: RawToolCall, call: typeof FIRST) =>
  truncated !== true && name === call.name && json === call.arguments

/** True if the value isn't in the reading, not even in a call that can't be executed because it is truncated or has invalid arguments. */
function isGone(reading: DialectReading, value: string): boolean {
  const isRefused = reading.toolCalls.some(({ arguments: json, truncated }) => truncated === true || !parseArguments(json).ok)
  return !isRefused && !JSON.stringify(reading).includes(value)
}

const shown = ({ text, toolCalls, reasoning, malformedCalls }: LMResponse | DialectReading) => ({
  text: text.trim(),
  toolCalls,
  reasoning,
  malformedCalls,
})

describe.each(written)('$name', ({ dialect, text, middle }) => {
  const check = (broken: string, value: string, one: Slip): DialectReading => {
    const reading = dialect.parse(broken, { tools })
    expect(shown(readPieces(dialect, cutInto(broken, one.cuts), { tools }))).toEqual(shown(reading))
    for (const { name } of reading.toolCalls) expect(name).not.toMatch(/[>[\]{}|="'`\\\n]/)
    if (broken.includes(value)) expect(isGone(reading, value)).toBe(false)
    return reading
  }

  it('parses the second call after a broken one, or reports it', () => {
    fc.assert(
      fc.property(slip, (one) => {
        const broken = `Look.\n${damage(text.slice(0, middle), one)}${text.slice(middle)}`
        const reading = check(broken, 'alphaville', one)
        const isRead = reading.toolCalls.some((call) => isWhole(call, SECOND))
        expect(isRead || !isGone(reading, 'betatown')).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it('keeps the first call before a broken one, or reports it', () => {
    fc.assert(
      fc.property(slip, (one) => {
        const broken = `Look.\n${text.slice(0, middle)}${damage(text.slice(middle), one)}`
        const reading = check(broken, 'betatown', one)
        const isRead = reading.toolCalls.some((call) => isWhole(call, FIRST))
        expect(isRead || !isGone(reading, 'alphaville')).toBe(true)
      }),
      { numRuns: runs },
    )
  })
})
