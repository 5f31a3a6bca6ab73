/**
 * The `dialects` target: unusual text must be parsed without throwing, with the same result for any chunk boundaries, and in linear time.
 */
import { collectDeltas, type RawToolCall } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import type { Dialect, DialectReading } from '@x/adapters/dialects'
import { isSameValue } from '../../conformance/same-value.ts'
import { DIALECTS } from '../../dialects/dialects.ts'
import { type StartClock, startProcessorClock } from '../../start-clock.ts'
import { minimize } from '../minimize.ts'
import { createRandom, type Random } from '../random.ts'
import type { Checked, Execution, Fault, FuzzTarget } from '../target.ts'
import { type DialectSample, randomSample } from './dialect-texts.ts'

/** Time limits. They are generous: a linear parser needs a tenth of the time. */
const MOST_MS = 150
const MOST_MS_PER_UNIT = 0.03
/** Number of times that a slow text is tried, because the machine may have been busy. */
const TRIES = 3

export function defineDialectsTarget(
  dialects: readonly Dialect[],
  startClock: StartClock = startProcessorClock,
): FuzzTarget<Execution> {
  return {
    name: 'dialects',
    start(publish = () => {}) {
      const seen = new Set<string>()
      return {
        execute(random) {
          const sample = randomSample(dialects as [Dialect, ...Dialect[]], random)
          const { dialect, options, text } = sample
          const seed = random.below(2 ** 31)
          publish(`${dialect.name}: ${text}`)
          const { behaviour, fault } = checkSample(sample, seed, startClock)
          seen.add(behaviour)
          if (fault === undefined) return { text, behaviour, minimize: () => text }
          const isSame = (candidate: string) => {
            publish(`${dialect.name}: ${candidate}`)
            return checkSample({ dialect, options, text: candidate }, seed, startClock).fault?.check === fault.check
          }
          const why = `${dialect.name} ${JSON.stringify(options)}: ${fault.why}`
          return {
            text,
            behaviour: `${dialect.name} ${behaviour}`,
            fault: { check: fault.check, why },
            minimize: () => (isSame(text) ? minimize(text, isSame, 1000) : text),
          }
        },
        get behaviours() {
          return seen.size
        },
      }
    },
  }
}

export const dialectsTarget = defineDialectsTarget(DIALECTS)

function checkSample(sample: DialectSample, seed: number, startClock: StartClock): Checked {
  const { dialect, text, options, calls } = sample
  try {
    let least = Number.POSITIVE_INFINITY
    let reading: DialectReading | undefined
    for (let left = TRIES; left > 0 && (reading === undefined || least > MOST_MS + text.length * MOST_MS_PER_UNIT); left--) {
      const elapsed = startClock()
      reading = dialect.parse(text, options)
      least = Math.min(least, elapsed())
    }
    if (reading === undefined) throw new Error('The text was not parsed.')
    const behaviour = describe(dialect, reading)
    if (least > MOST_MS + text.length * MOST_MS_PER_UNIT) {
      const why = `${Math.round(least)} ms for ${text.length} characters`
      return { behaviour, fault: { check: 'takes time linear in the length of the text', why } }
    }
    return { behaviour, fault: (calls && callFault(calls, reading)) ?? pieceFault(sample, reading, createRandom(seed)) }
  } catch (error) {
    return { behaviour: 'threw', fault: { check: 'throws', why: error instanceof Error ? (error.stack ?? '') : String(error) } }
  }
}

function describe({ name }: Dialect, { text, toolCalls, reasoning, malformedCalls }: DialectReading): string {
  const tags = toolCalls.flatMap((call) => [call.truncated === true ? 'truncated' : '', ...(call.tags ?? [])])
  const parts = [text !== '', toolCalls.length, reasoning !== undefined && reasoning !== '', malformedCalls?.length ?? 0]
  return `${name} ${parts.map(Number).join(' ')} ${[...new Set(tags)].sort().join('+')}`
}

/** Compares the result for the whole text with those for random chunks and, if the text is short, for single UTF-16 units. */
function pieceFault({ dialect, text, options }: DialectSample, reading: DialectReading, random: Random): Fault | undefined {
  const cuttings = [cutAtRandom(text, random), ...(text.length < 2000 ? [text.split('')] : [])]
  for (const pieces of cuttings) {
    const parser = dialect.streamParser(options)
    const deltas = pieces.flatMap((piece) => [...parser.push(piece)])
    const streamed = collectDeltas([...deltas, ...parser.end()])
    const same = { ...streamed, text: streamed.text.trim() }
    if (!isSameValue(toPlain(same), toPlain(reading))) {
      const why = `whole ${JSON.stringify(reading)}, in ${pieces.length} pieces ${JSON.stringify(same)}`
      return { check: 'parses text in pieces like the whole text', why }
    }
  }
  return undefined
}

/** Returns a copy without undefined keys. */
function toPlain(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

function cutAtRandom(text: string, random: Random): readonly string[] {
  const longest = random.pick([3, 20, 500])
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.below(text.length > 5000 ? 500 : longest)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Checks that written calls are parsed unchanged. */
function callFault(calls: readonly RawToolCall[], { toolCalls }: DialectReading): Fault | undefined {
  const meant = calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])
  const read = toolCalls.map(({ name, arguments: text, truncated }) => {
    const parsed = parseArguments(text)
    return [name, truncated === true ? 'truncated' : parsed.ok ? parsed.value : parsed.code]
  })
  if (isSameValue(read, meant)) return undefined
  return { check: 'parses the calls that it wrote', why: `wrote ${JSON.stringify(meant)}, read ${JSON.stringify(read)}` }
}
