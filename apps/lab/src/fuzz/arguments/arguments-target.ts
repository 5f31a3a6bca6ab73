/** The `arguments` target: runs the argument parsers on random text. */
import { argumentStream, parseArguments, recoverJson } from '@x/adapters/arguments'
import { textOf } from '../../conformance/recovery/recovery-case.ts'
import { readRecoveryCases } from '../../conformance/recovery/recovery-suite.ts'
import { corpusPath } from '../../corpora.ts'
import { type StartClock, startProcessorClock } from '../../start-clock.ts'
import { minimize } from '../minimize.ts'
import { createRandom, type Random } from '../random.ts'
import type { Checked, Execution, Fault, FuzzTarget } from '../target.ts'
import { type ArgumentReader, checkSample } from './argument-checks.ts'
import { type ArgumentSample, ArgumentSamples, cutKnown, writeKnown } from './argument-samples.ts'

/** Time limits in milliseconds. They are generous: a linear parser needs a hundredth of the time. */
const MOST_MS = 50
const MOST_MS_PER_UNIT = 0.005
/** Number of similar inputs to try when looking for a smaller one with the same fault. */
const OTHERS = 5000
/** Number of times that a slow input is tried, because the machine may have been busy. */
const TRIES = 3

export function defineArgumentsTarget(
  reader: ArgumentReader,
  corpus: () => readonly string[],
  startClock: StartClock = startProcessorClock,
): FuzzTarget<Execution> {
  const check = (sample: ArgumentSample) => checkInTime(reader, sample, startClock)
  return {
    name: 'arguments',
    start(publish = () => {}) {
      const samples = new ArgumentSamples(corpus())
      return {
        execute(random) {
          const sample = samples.next(random)
          publish(sample.text)
          const { behaviour, fault } = check(sample)
          samples.learn(sample.text, behaviour)
          return toExecution(check, sample, { behaviour, fault, publish })
        },
        get behaviours() {
          return samples.behaviours
        },
      }
    },
  }
}

/** Also mutates texts from the corpora, if they are available. */
export const argumentsTarget: FuzzTarget<Execution> = defineArgumentsTarget({ recoverJson, parseArguments, argumentStream }, () =>
  readRecoveryCases(corpusPath('json-recovery')).map(textOf),
)

function checkInTime(reader: ArgumentReader, sample: ArgumentSample, startClock: StartClock): Checked {
  const most = MOST_MS + sample.text.length * MOST_MS_PER_UNIT
  let least = Number.POSITIVE_INFINITY
  for (let left = TRIES; ; left--) {
    const elapsed = startClock()
    const checked = checkSample(reader, sample)
    least = Math.min(least, elapsed())
    if (least <= most || checked.fault !== undefined) return checked
    if (left === 1) {
      const why = `${Math.round(least)} ms for ${sample.text.length} characters`
      return { ...checked, fault: { check: 'takes time linear in the length of the text', why } }
    }
  }
}

interface Found {
  readonly behaviour: string
  readonly fault: Fault | undefined
  readonly publish: (text: string) => void
}

type Check = (sample: ArgumentSample) => Checked

function toExecution(check: Check, sample: ArgumentSample, { behaviour, fault, publish }: Found): Execution {
  const { text, known } = sample
  if (fault === undefined) return { text, behaviour, minimize: () => text }
  const isSame = (other: ArgumentSample) => {
    // Minimizing a large input takes minutes, so each attempt is published to show the watchdog that work continues.
    publish(other.text)
    return check(other).fault?.check === fault.check
  }
  // A smaller text has a different value, so nothing is known about it.
  const { known: _, ...unknown } = sample
  const isOfText = known === undefined || isSame(unknown)
  return {
    text,
    behaviour,
    fault,
    minimize: () =>
      isOfText
        ? minimize(
            text,
            (candidate) => isSame({ text: candidate, cuts: sample.cuts }) || isSame({ text: candidate, cuts: 'units' }),
          )
        : findSmaller(sample, isSame),
  }
}

/** Generates similar inputs, and returns the shortest one that fails in the same way. */
function findSmaller(sample: ArgumentSample, isSame: (other: ArgumentSample) => boolean): string {
  const random = createRandom(1)
  const make: (random: Random) => Pick<ArgumentSample, 'text' | 'known'> =
    sample.known !== undefined && 'same' in sample.known ? writeKnown : cutKnown
  let smallest = sample.text
  for (let left = OTHERS; left > 0; left--) {
    const other = { ...make(random), cuts: sample.cuts }
    if (other.text.length < smallest.length && isSame(other)) smallest = other.text
  }
  return smallest
}
