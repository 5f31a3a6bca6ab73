/** Checks that a dialect reads what it writes. */
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject } from '../dialect-check.ts'
import { sorted, toReadCall } from './reading.ts'
import { turnsOf, type WrittenTurn, writeTurns } from './written-turns.ts'

export const ROUND_TRIP_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'round-trip',
    name: 'a written call is parsed back with the same name and arguments',
    check(subject) {
      const { runs, leastWritten } = subject
      const { turns, refusal } = writeTurns(subject, 1)
      for (const turn of turns) ensureReadAgain(subject, turn)
      const written = Math.min(turns.length, runs)
      const why = refusal && ` The first refusal: ${refusal.code}, ${refusal.message}`
      ensure(written >= runs * leastWritten, `Only ${written} of ${runs} random calls could be written.${why ?? ''}`)
    },
  },
  {
    id: 'round-trip-turn',
    name: 'several calls of one turn are parsed back in order, or refused with a code',
    check(subject) {
      for (const turn of turnsOf(subject, 3)) ensureReadAgain(subject, turn)
    },
  },
  {
    id: 'round-trip-open',
    name: 'text before the calls is returned as text',
    check(subject) {
      for (const turn of turnsOf({ ...subject, runs: Math.ceil(subject.runs / 10) }, 1)) {
        const { dialect } = subject
        const reading = dialect.parse(`Let me look.\n${turn.text}`, { tools: turn.calls.map(({ tool }) => tool) })
        if (reading.toolCalls.length > 0) ensureSame(reading.text, 'Let me look.', `Text before ${turn.text}`)
        else ensure(reading.text.startsWith('Let me look.'), `The text before ${turn.text} is lost`)
      }
    },
  },
]

function ensureReadAgain({ dialect }: DialectSubject, { text, calls }: WrittenTurn): void {
  const { toolCalls } = dialect.parse(text, { tools: calls.map(({ tool }) => tool) })
  const expected = calls.map(({ call, args }) => [call.name, sorted(args)])
  const found = toolCalls.map(toReadCall).map(([name, args]) => [name, sorted(args)])
  ensureSame(found, expected, `The calls parsed from ${JSON.stringify(text)}`)
  const cut = toolCalls.find(({ truncated }) => truncated)
  ensure(cut === undefined, `A complete call is marked as truncated: ${JSON.stringify(text)}`)
}
