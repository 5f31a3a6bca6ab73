/** Tests the `arguments` target: it finds each planted fault with the right check, and finds nothing in our parsers. */
import { argumentStream, parseArguments, recoverJson } from '@x/adapters/arguments'
import { describe, expect, it } from 'vitest'
import type { StartClock } from '../../start-clock.ts'
import { run } from '../fuzz.ts'
import { createRandom } from '../random.ts'
import type { Execution, FuzzRun } from '../target.ts'
import { type Answer, type ArgumentReader, checkSample } from './argument-checks.ts'
import { defineArgumentsTarget } from './arguments-target.ts'
import type { ArgumentStreamReader } from './stream-check.ts'

const ours: ArgumentReader = { recoverJson, parseArguments, argumentStream }

/** A clock that stands still, so that no parser is too slow. */
const standingClock: StartClock = () => () => 0

const defineTarget = (reader: ArgumentReader, startClock = standingClock) => defineArgumentsTarget(reader, () => [], startClock)

/** Returns the checks that failed, up to this one or in this many executions of the parser. */
function findIn(reader: ArgumentReader, executions: number, wanted?: string): ReadonlySet<string> {
  const running = defineTarget(reader).start()
  const random = createRandom(1)
  const found = new Set<string>()
  for (let left = executions; left > 0 && !found.has(wanted ?? ''); left--) {
    const { fault } = running.execute(random)
    if (fault !== undefined) found.add(fault.check)
  }
  return found
}

/** Returns the smallest text that fails this check. */
async function findSmallest(reader: ArgumentReader, check: string, startClock?: StartClock): Promise<string | undefined> {
  let isFound = false
  const target = defineTarget(reader, startClock)
  const publishing = { ...target, start: () => watch(target.start()) }
  const watch = (running: FuzzRun<Execution>): FuzzRun<Execution> => ({
    behaviours: 0,
    execute(random) {
      const execution = running.execute(random)
      isFound ||= execution.fault?.check === check
      return execution
    },
  })
  const { findings } = await run(publishing, 1, (done) => isFound || done > 2000)
  return findings.find((finding) => finding.check === check)?.text
}

const repairing = (repair: (answer: Answer, text: string) => Answer): ArgumentReader => ({
  ...ours,
  recoverJson: (text) => repair(recoverJson(text), text),
})

const streaming = (change: (stream: ArgumentStreamReader) => Partial<ArgumentStreamReader>): ArgumentReader => ({
  ...ours,
  argumentStream() {
    const stream: ArgumentStreamReader = argumentStream()
    return {
      value: stream.value,
      snapshot: () => stream.snapshot(),
      push: (delta) => stream.push(delta),
      end: () => stream.end(),
      ...change(stream),
    }
  },
})

const accept = (value: unknown, ...tags: string[]): Answer => ({ ok: true, value, tags })

it('accepts that JSON is tagged where an integer loses digits, and nowhere else', () => {
  const tagging: ArgumentReader = { ...ours, parseArguments: (text) => accept(JSON.parse(text), 'unsafe_number') }
  const checks = (reader: ArgumentReader, text: string) => checkSample(reader, { text, cuts: 'units' }).fault?.check
  expect(checks(ours, '{"":"","a":[9111111111011111],"":false}')).toBeUndefined()
  expect(checks(ours, '{"":90111111111110112,"1":1}')).toBeUndefined()
  expect(checks(tagging, '{"a":"9111111111011111"}')).toBe('JSON is left unchanged')
  expect(checks(tagging, '{"a":9111111111011112}')).toBe('JSON is left unchanged')
})

describe('detects a parser that', () => {
  it.each<[string, string, ArgumentReader]>([
    [
      'throws',
      'throws',
      repairing((answer, text) => {
        if (text.includes(',')) throw new RangeError('no comma today')
        return answer
      }),
    ],
    [
      'repairs without a word',
      "text that isn't JSON is tagged",
      repairing((answer) => (answer.ok ? { ...answer, tags: [] } : answer)),
    ],
    [
      'tags what is JSON',
      'JSON is left unchanged',
      repairing((answer) => (answer.ok ? { ...answer, tags: ['comment'] } : answer)),
    ],
    [
      'refuses what is JSON',
      'JSON is accepted',
      repairing((answer) => (answer.ok && answer.tags.length === 0 ? { ...refusal, code: 'bad_key' } : answer)),
    ],
    [
      'gives a key that reaches a prototype',
      'recoverJson: safe',
      repairing((answer, text) => (answer.ok ? answer : accept(JSON.parse('{"__proto__":{}}'), text))),
    ],
    [
      'refuses without a place',
      'recoverJson: a whole refusal',
      repairing((answer) => (answer.ok ? answer : { ...answer, at: -1 })),
    ],
    [
      'completes what was cut off',
      'recoverJson: a truncated text is refused',
      repairing((answer) => (!answer.ok && answer.code === 'truncated' ? accept({}, 'missing_close') : answer)),
    ],
    [
      'reads words that stand around as a value',
      'recoverJson: the value is as intended',
      repairing((answer) =>
        answer.ok && answer.tags.includes('surrounding_text') ? accept({ a: 1 }, 'surrounding_text') : answer,
      ),
    ],
    [
      'reads the two layers differently',
      'both layers agree',
      { ...ours, parseArguments: () => accept({ another: 1 }, 'comment') },
    ],
    ['takes a list for arguments', 'arguments are an object', { ...ours, parseArguments: () => accept([], 'comment') }],
    ['ends a stream in another way', 'stream: the end equals that of the whole text', streaming(() => ({ end: () => refusal }))],
    [
      'forgets what it showed',
      'stream: the value only grows',
      streaming((stream) => ({
        push(delta) {
          const changes = stream.push(delta)
          if (delta.includes(',')) for (const key of Object.keys(stream.value as object)) delete (stream.value as Loose)[key]
          return changes
        },
      })),
    ],
    [
      'does not report what changed',
      'stream: changes are reported',
      streaming((stream) => ({ push: (delta) => stream.push(delta) && [] })),
    ],
    [
      'reports another growth',
      'stream: texts grow as reported',
      streaming((stream) => ({
        push: (delta) =>
          stream.push(delta).map(({ pointer, isComplete, text, value }) => ({
            pointer,
            isComplete,
            value,
            text: text === undefined ? text : `${text}~`,
          })),
      })),
    ],
    [
      'gives the live value as a snapshot',
      'stream: a snapshot is a copy of the value',
      streaming((stream) => ({ snapshot: () => stream.value })),
    ],
  ])('%s', (_, check, reader) => {
    expect(findIn(reader, 400, check)).toContain(check)
  })

  it('takes too long, with the smallest text that does', async () => {
    let now = 0
    const startClock: StartClock = () => {
      const started = now
      return () => now - started
    }
    const slow = repairing((answer, text) => {
      if (text.includes('[')) now += 60
      return answer
    })
    expect(await findSmallest(slow, 'takes time linear in the length of the text', startClock)).toBe('[')
  })

  it('takes too long three times, and not one that was delayed twice', () => {
    const elapsed = [60, 60, 0]
    let observed = 0
    const startClock: StartClock = () => () => elapsed[observed++ % elapsed.length] as number
    const { fault } = defineTarget(ours, startClock).start().execute(createRandom(1))
    expect([fault, observed]).toEqual([undefined, 3])
  })
})

it('minimizes its findings', async () => {
  const guessing = repairing((answer, text) => (text.includes('...') ? accept({ guessed: true }) : answer))
  expect(await findSmallest(guessing, "text that isn't JSON is tagged")).toBe('...')
})

it('also publishes its text while it minimizes', () => {
  const read: string[] = []
  const guessing = repairing((answer, text) => (text.includes('...') ? accept({ guessed: true }) : answer))
  const running = defineTarget(guessing).start((text) => read.push(text))
  const random = createRandom(1)
  let execution = running.execute(random)
  for (let left = 2000; execution.fault === undefined && left > 0; left--) execution = running.execute(random)
  const before = read.length
  execution.minimize()
  expect(read.length).toBeGreaterThan(before)
})

it('finds nothing in our code', () => {
  expect(findIn(ours, process.env.X_FULL ? 2_000 : 400)).toEqual(new Set())
})

type Loose = Record<string, unknown>
const refusal: Answer = { ok: false, code: 'truncated', at: 0, excerpt: '', message: 'It ends too early.' }
