/** Checks that no text does harm: damaged, endless, or written by somebody else than the model. */
import type { Dialect } from '../../dialects/dialect.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition } from '../dialect-check.ts'
import { createRandom } from '../random.ts'
import { readPieces, toReadCall } from './reading.ts'
import { damage, oddTexts } from './stream.ts'
import { turnsOf } from './written-turns.ts'

export const SAFETY_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'damaged',
    name: 'a text with damage throws nothing and pollutes nothing',
    check(subject) {
      const { dialect } = subject
      const random = createRandom(subject.seed + 3)
      for (const text of oddTexts(subject, random)) dialect.parse(damage(text, random))
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        const formatted = dialect.formatCall({ id: 'a', name: 'look_up', arguments: '{"query": {"query": 1}}' })
        if (formatted.ok) dialect.parse(formatted.text.replaceAll('query', key)).toolCalls.map(toReadCall)
      }
      ensure(!('query' in {}), 'An object that nobody made has a member of the text.')
    },
  },
  {
    id: 'linear',
    name: 'a megabyte without an end is read in linear time',
    check({ dialect, fragments }) {
      const pieces = [...fragments, '<', '{', '[', '(', '"', "'", '\\', '\n', '`', 'a', '{"a":', 'f(']
      for (const piece of pieces) ensureLinear(dialect, LENGTH / 10, (length) => piece.repeat(Math.ceil(length / piece.length)))
      const isBegun = (fragment: string) =>
        fragments.some((whole) => whole.length > fragment.length && whole.startsWith(fragment))
      for (const fragment of fragments.filter((one) => !isBegun(one)))
        ensureLinear(dialect, LENGTH, (length) => fragment + 'x'.repeat(length))
    },
  },
  {
    id: 'result',
    name: 'a result that holds a call reads as none',
    check(subject) {
      const { dialect, runs, fragments } = subject
      const tags = fragments.filter((fragment) => /^<[^<>]*>$/.test(fragment))
      const toResult = (text: string) => dialect.formatResult({ callId: 'call_0', name: 'look_up', ok: true, text })
      const frame = toResult('')
      for (const { text } of turnsOf({ ...subject, runs: Math.ceil(runs / 10) }, 1)) {
        const result = toResult(`${text}\n${text}`)
        ensureSame(dialect.parse(result).toolCalls, [], `The result ${JSON.stringify(result)}`)
        // What a result is written between may hold markers.
        const left = tags.find((tag) => text.includes(tag) && result.split(tag).length > frame.split(tag).length)
        ensure(left === undefined, `The marker ${left} is left in the result ${JSON.stringify(result)}`)
      }
    },
  },
  {
    id: 'ids-unique',
    name: 'no two calls of a response have the same id',
    check(subject) {
      const few = { ...subject, runs: Math.ceil(subject.runs / 10) }
      for (const { text } of [...turnsOf(few, 1), ...turnsOf(few, 3)]) {
        const ids = subject.dialect.parse(`${text}\n${text}`).toolCalls.map(({ id }) => id)
        ensureSame(new Set(ids).size, ids.length, `The ids ${ids.join(', ')}`)
      }
    },
  },
]

const LENGTH = 1_000_000
/** So small that reading all that has come with each piece takes far longer than the rest. */
const PIECE = 50

/** How much longer a text takes that is eight times as long: 64 times where time goes with the square. */
const GROWTH = 20
/** What a busy machine adds, in milliseconds. */
const NOISE = 500
const TRIES = 3

function ensureLinear(dialect: Dialect, length: number, toText: (length: number) => string): void {
  const [small, large] = [toText(length / 8), toText(length)]
  let found = ''
  for (let tries = 0; tries < TRIES; tries++) {
    const limit = timeToRead(dialect, small) * GROWTH + NOISE
    const took = timeToRead(dialect, large)
    if (took < limit) return
    found = `${Math.round(took)} ms, more than ${Math.round(limit)},`
  }
  ensure(false, `${found} for ${large.length} units that begin ${JSON.stringify(large.slice(0, 40))}`)
}

function timeToRead(dialect: Dialect, text: string): number {
  const started = performance.now()
  readPieces(dialect, cutEvenly(text))
  dialect.parse(text)
  return performance.now() - started
}

function cutEvenly(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) => text.slice(index * PIECE, (index + 1) * PIECE))
}
