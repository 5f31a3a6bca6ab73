/**
 * The `patterns` target: patterns in schemas must match the same texts as in JavaScript. If a pattern is slow in an engine, that engine
 * must not run it.
 */
import { validate } from '@x/tool-core'
import { type StartClock, startProcessorClock } from '../../start-clock.ts'
import type { Random } from '../random.ts'
import type { Validate } from '../schemas/schemas-target.ts'
import type { Checked, Execution, Fault, FuzzTarget } from '../target.ts'
import { countSteps, MOST_STEPS } from './count-steps.ts'
import { type PatternNode, pumpedText, randomPattern, shortText, sourceOf } from './random-pattern.ts'

/** Lengths of text in characters. Linear work takes four times as many steps for the second length. */
const LENGTHS = [100, 400] as const
const MOST_GROWTH = 8
/** A number of steps that is never considered slow, however quickly it grows with the length. */
const FEW_STEPS = 20_000
/** Length of text for RE2, which takes linear time for any pattern. The time limit is generous. */
const LONG = 5_000
const MOST_MS = 1_000
const SHORT_TEXTS = 6
const PUMPS = 3
const TRIES = 3

export function definePatternsTarget(
  check: Validate,
  startClock: StartClock = startProcessorClock,
): FuzzTarget<Promise<Execution>> {
  return {
    name: 'patterns',
    start(publish = () => {}) {
      const seen = new Set<string>()
      return {
        async execute(random) {
          const pattern = randomPattern(random)
          const source = sourceOf(pattern)
          publish(source)
          const { behaviour, fault } = await checkPattern({ check, startClock, pattern, source, random })
          seen.add(behaviour)
          return { text: source, behaviour, ...(fault && { fault }), minimize: () => source }
        },
        get behaviours() {
          return seen.size
        },
      }
    },
  }
}

export const patternsTarget = definePatternsTarget(validate)

interface Subject {
  readonly check: Validate
  readonly startClock: StartClock
  readonly pattern: PatternNode
  readonly source: string
  readonly random: Random
}

type Answer = 'fits' | 'pattern' | 'too_complex'

async function checkPattern(subject: Subject): Promise<Checked> {
  const { check, pattern, source, random } = subject
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: source } } }
  const ask = async (text: string): Promise<Answer> => {
    const [issue] = await check(schema, { a: text })
    return issue === undefined ? 'fits' : (issue.keyword as Answer)
  }
  let native = false
  try {
    for (let left = SHORT_TEXTS; left > 0; left--) {
      const text = shortText(random)
      const [answer, isNative] = await watchEngine(source, () => ask(text))
      native ||= isNative
      const expected = isMatch(source, text) ? 'fits' : 'pattern'
      if (answer !== expected) {
        const why = `${JSON.stringify(text)}: ${answer}, but JavaScript says ${expected}`
        return { behaviour: native ? 'native' : 'linear', fault: { check: 'matches the same text as JavaScript', why } }
      }
    }
    for (let left = PUMPS; left > 0; left--) {
      const make = pumpedText(random)
      const fault = native ? await stepFault(make, pattern, source, ask) : await timeFault(make, subject, ask)
      if (fault !== undefined) return { behaviour: native ? 'native' : 'linear', fault }
    }
    return { behaviour: native ? 'native' : 'linear' }
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    if (code === 'invalid_definition') return { behaviour: `refused: ${String(message).match(/has no ([^.]*)/)?.[1]}` }
    return { behaviour: 'throws', fault: { check: 'answers', why: String(error) } }
  }
}

/**
 * Matches with the flag `u` at each character, as JSON Schema requires. Without the flag `y`, V8 would also match inside a surrogate pair.
 */
function isMatch(source: string, text: string): boolean {
  const expression = new RegExp(source, 'uy')
  let start = 0
  for (const character of [...text, '']) {
    expression.lastIndex = start
    if (expression.test(text)) return true
    start += character.length
  }
  return false
}

/** Calls `work`. `isNative` is true if JavaScript's own engine ran the pattern during the call. */
async function watchEngine<T>(source: string, work: () => Promise<T>): Promise<readonly [answer: T, isNative: boolean]> {
  const { exec, test } = RegExp.prototype
  let isNative = false
  const watch = <Result>(original: (text: string) => Result) =>
    function (this: RegExp, text: string): Result {
      // Matching a long text might take forever, so it is replaced by an empty string. Its steps are counted elsewhere. A call with an
      // empty string only checks that the pattern is valid, so it doesn't set `isNative`.
      if (this.source === source && text !== '') isNative = true
      return original.call(this, this.source === source && text.length >= LONG ? '' : text)
    }
  Object.assign(RegExp.prototype, { exec: watch(exec), test: watch(test) })
  try {
    return [await work(), isNative]
  } finally {
    Object.assign(RegExp.prototype, { exec, test })
  }
}

/** Counts the steps on two lengths. If they grow too fast, long text must be refused without running JavaScript's engine. */
async function stepFault(
  make: (length: number) => string,
  pattern: PatternNode,
  source: string,
  ask: (text: string) => Promise<Answer>,
): Promise<Fault | undefined> {
  const [few = 0, many = 0] = LENGTHS.map((length) => countSteps(pattern, make(length)))
  if (many <= FEW_STEPS || (many < MOST_STEPS && many <= MOST_GROWTH * few)) return undefined
  const [, isNative] = await watchEngine(source, () => ask(make(LONG)))
  if (!isNative) return undefined
  const why = `${few} steps for ${LENGTHS[0]} characters, ${many} for ${LENGTHS[1]}: ${JSON.stringify(make(20))}`
  return { check: 'takes a number of steps in proportion to the length', why }
}

async function timeFault(
  make: (length: number) => string,
  { startClock }: Subject,
  ask: (text: string) => Promise<Answer>,
): Promise<Fault | undefined> {
  const text = make(LONG)
  let why = ''
  for (let left = TRIES; left > 0; left--) {
    const elapsed = startClock()
    await ask(text)
    const took = elapsed()
    if (took <= MOST_MS) return undefined
    why = `${Math.round(took)} ms for ${LONG} characters: ${JSON.stringify(make(20))}`
  }
  return { check: 'takes time in proportion to the length', why }
}
