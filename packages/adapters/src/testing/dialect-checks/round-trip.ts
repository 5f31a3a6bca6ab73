/** Checks that what a dialect writes is what it reads. */
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject } from '../dialect-check.ts'
import { createRandom } from '../random.ts'
import { type RandomCall, randomCall } from '../random-calls.ts'
import { toReadCall } from './reading.ts'

export const ROUND_TRIP_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'round-trip',
    name: 'a call that is written is read again, with its name and its arguments',
    check(subject) {
      const { runs, leastWritten } = subject
      const written = writtenTurns(subject, 1)
      for (const turn of written) ensureReadAgain(subject, turn)
      ensure(written.length >= runs * leastWritten, `Only ${written.length} of ${runs} random calls could be written.`)
    },
  },
  {
    id: 'round-trip-turn',
    name: 'several calls of one turn are read again in their order, or refused with a code',
    check(subject) {
      for (const turn of writtenTurns(subject, 3)) ensureReadAgain(subject, turn)
    },
  },
  {
    id: 'round-trip-open',
    name: 'text before the calls is read as text',
    check(subject) {
      for (const turn of writtenTurns({ ...subject, runs: Math.ceil(subject.runs / 10) }, 1)) {
        const { dialect } = subject
        const reading = dialect.parse(`Let me look.\n${turn.text}`, { tools: turn.calls.map(({ tool }) => tool) })
        if (reading.toolCalls.length > 0) ensureSame(reading.text, 'Let me look.', `Text before ${turn.text}`)
        else ensure(reading.text.startsWith('Let me look.'), `The text before ${turn.text} is lost`)
      }
    },
  },
]

export interface WrittenTurn {
  readonly text: string
  readonly calls: readonly RandomCall[]
}

/** Turns of as many calls, as far as the dialect can write them. */
export function writtenTurns({ dialect, runs, seed, fragments }: DialectSubject, length: number): readonly WrittenTurn[] {
  const random = createRandom(seed + length)
  return Array.from({ length: runs }, () => Array.from({ length }, (_, index) => randomCall(random, fragments, index))).flatMap(
    (calls): WrittenTurn[] => {
      const names = new Set(calls.map(({ call }) => call.name))
      if (names.size < calls.length) return []
      const formatted = dialect.formatCalls(calls.map(({ call }) => call))
      if (formatted.ok) return [{ text: formatted.text, calls }]
      ensure(formatted.code !== 'invalid_arguments', `Arguments that are JSON were refused: ${formatted.message}`)
      return []
    },
  )
}

function ensureReadAgain({ dialect }: DialectSubject, { text, calls }: WrittenTurn): void {
  const { toolCalls } = dialect.parse(text, { tools: calls.map(({ tool }) => tool) })
  const expected = calls.map(({ call, args }) => [call.name, sorted(args)])
  const found = toolCalls.map(toReadCall).map(([name, args]) => [name, sorted(args)])
  ensureSame(found, expected, `What was read of ${JSON.stringify(text)}`)
  const cut = toolCalls.find(({ truncated }) => truncated)
  ensure(cut === undefined, `A whole call counts as cut off: ${JSON.stringify(text)}`)
}

/** With the keys of objects in one order: the order is no part of a value. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}
