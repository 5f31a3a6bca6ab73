/**
 * Matches a schema's patterns in linear time. Uses JavaScript's engine if a proof shows that it's linear for the pattern, otherwise RE2.
 */
import { ToolError } from '../errors.ts'
import { shorten } from './issue.ts'
import { pointerSegment } from './pointer.ts'
import { isSchemaNode } from './schema.ts'
import { type CompiledPattern, type LinearPattern, UnsupportedSyntax } from './validators/patterns/linear-pattern.ts'
import {
  importEngines,
  loadEngines,
  madeManyProofs,
  nextTask,
  type PatternEngines,
} from './validators/patterns/pattern-engines.ts'
import { isSimplePattern } from './validators/patterns/simple-pattern.ts'
import { type StepCounter, TooManySteps } from './validators/steps.ts'
import { subschemasOf } from './validators/subschemas.ts'

/** A compiled pattern. */
export interface Matcher {
  readonly engine: LinearPattern
  /** False if a match may take quadratic time, because the pattern has lookarounds or back-references that RE2 doesn't support. */
  readonly isLinear: boolean
  /** Returns the number of steps to count for a string of this length. */
  readonly stepsFor: (length: number) => number
}

const matchers = new WeakMap<object, ReadonlyMap<string, Matcher>>()

/**
 * Throws `invalid_definition` for a pattern, or a key of `patternProperties`, that isn't a regular expression or can't be matched in linear
 * time. The check is postponed to the first use if the engines can't be loaded synchronously, as in a browser, or if many patterns have
 * already been analyzed in the same task.
 */
export function assertSafePatterns(schema: object, owner: string, field: string): void {
  const patterns = patternsOf(schema, `${owner}: ${field}`)
  if (patterns.length === 0 || matchers.has(schema)) return
  const read = patterns.map((pattern) => readPattern(pattern, `${owner}: the pattern`, field))
  const doubtful = read.filter(({ expression }) => mayBeRefused(expression))
  const engines = doubtful.length > 0 && !madeManyProofs() ? loadEngines() : undefined
  const work = new AnalysisWork()
  if (engines !== undefined) for (const pattern of doubtful) assertMatched(pattern, engines, work)
}

/** Compiles a schema's patterns. Rejects with any error that `assertSafePatterns` has postponed. */
export async function matchersOf(schema: object): Promise<ReadonlyMap<string, Matcher>> {
  const known = matchers.get(schema)
  if (known !== undefined) return known
  const read = patternsOf(schema).map((pattern) => readPattern(pattern, 'Invalid schema: the pattern', 'schema'))
  const engines = read.every(({ expression }) => isSimplePattern(expression)) ? undefined : await importEngines()
  const found = new Map<string, Matcher>()
  const work = new AnalysisWork()
  let started = performance.now()
  for (const pattern of read) {
    if (found.has(pattern.source)) continue
    if (madeManyProofs() || performance.now() - started > SLICE_MS) {
      await nextTask()
      started = performance.now()
    }
    found.set(pattern.source, toMatcher(pattern, engines, work))
  }
  matchers.set(schema, found)
  return found
}

/** Time to analyze patterns before other tasks get their turn. Most schemas need less. */
const SLICE_MS = 10

/** Limits the analysis of a schema's patterns. Each takes up to 40 ms, and an untrusted schema may have thousands. */
class AnalysisWork {
  #proofs = 0
  #parts = 0

  /** True if another pattern may be proven. Patterns after that are matched by RE2. */
  takeProof(): boolean {
    return this.#proofs++ < MAX_PROOFS
  }

  /** Counts a pattern that RE2 has compiled. Returns false if there are too many. */
  takeCompiled(pattern: CompiledPattern, { source }: RegExp): boolean {
    this.#parts += PARTS_OF_A_PATTERN + source.length + pattern.effort
    return this.#parts <= MAX_PARTS
  }
}

const MAX_PROOFS = 50
/** Limit of the characters and steps of the patterns that RE2 compiles. RE2 takes up to 6 µs for each of them. */
const MAX_PARTS = 100_000
const PARTS_OF_A_PATTERN = 100

interface Pattern {
  readonly source: string
  /** JSON pointer to the keyword that contains the pattern. */
  readonly pointer: string
}

function patternsOf(schema: object, subject = 'Invalid schema: it'): readonly Pattern[] {
  return subschemasOf(schema, subject).flatMap(({ node, pointer }) => {
    const { pattern, patternProperties } = node
    const keys = typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []
    const patterns = keys.map((source) => ({ source, pointer: `${pointer}/patternProperties/${pointerSegment(source)}` }))
    if (isSchemaNode(pattern) && Object.hasOwn(pattern, '$data')) {
      throw new ToolError(
        'invalid_definition',
        `${subject} reads a pattern from the value ($data) at ${pointer}/pattern. Write the pattern in the schema.`,
      )
    }
    if (typeof pattern === 'string') patterns.push({ source: pattern, pointer: `${pointer}/pattern` })
    return patterns
  })
}

const MAX_PATTERN = 20_000
const MAX_SHOWN = 200

interface ReadPattern {
  readonly source: string
  readonly expression: RegExp
  readonly refuse: (words: string, cause?: unknown) => ToolError
}

function readPattern({ source, pointer }: Pattern, subject: string, field: string): ReadPattern {
  const shown = JSON.stringify(shorten(source, MAX_SHOWN))
  const refuse = (words: string, cause?: unknown) =>
    new ToolError('invalid_definition', `${subject} ${shown} at ${field}${pointer} ${words}`, { cause })
  if (source.length > MAX_PATTERN) throw refuse(`is longer than ${MAX_PATTERN} characters. Shorten it.`)
  const expression = toExpression(source)
  if (expression === undefined) throw refuse('is not a JavaScript regular expression. Correct its syntax.')
  return { source, expression, refuse }
}

/**
 * Compiles a pattern with the flag `u`, as JSON Schema requires. Also accepts patterns that are valid only without the flag. Undefined
 * for an invalid pattern.
 */
function toExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      const expression = new RegExp(source, flags)
      // If an expression is too large for the engine, only its first match fails.
      expression.test('')
      return expression
    } catch {
      // Try the next flags.
    }
  }
  return undefined
}

/** True for syntax that RE2 may not support: lookaheads, back-references, properties, lone surrogates, and more than 1,000 repetitions. */
function mayBeRefused(expression: RegExp): boolean {
  return (
    !isSimplePattern(expression) &&
    /\(\?[=!]|\\[1-9kpPuc]|\d{4}|\[\^?\]|[\ud800-\udfff]|[{},]\d{2,}.*[{},]\d{2,}/.test(expression.source)
  )
}

/** Throws for a pattern that `toMatcher` would refuse. Tries RE2 first, which needs no proof. */
function assertMatched(pattern: ReadPattern, engines: PatternEngines, work: AnalysisWork): void {
  try {
    if (!work.takeCompiled(engines.compile(pattern.expression), pattern.expression)) throw tooMany(pattern)
  } catch (cause) {
    if (cause instanceof ToolError) throw cause
    if (!madeManyProofs()) toMatcher(pattern, engines, work)
  }
}

function tooMany({ refuse }: ReadPattern): ToolError {
  return refuse('and other patterns take too long to analyze. Use fewer of them.')
}

function toMatcher(pattern: ReadPattern, engines: PatternEngines | undefined, work: AnalysisWork): Matcher {
  const { expression, refuse } = pattern
  if (engines === undefined || isSimplePattern(expression)) return native(expression, 1)
  const looks = LOOKS.test(expression.source)
  const prove = () => (engines.isProvable(expression) && work.takeProof() ? engines.visitsOf(expression) : undefined)
  const visits = looks ? undefined : prove()
  if (visits !== undefined) return native(expression, visits)
  try {
    const engine = engines.compile(expression)
    if (!work.takeCompiled(engine, expression)) throw tooMany(pattern)
    return { engine, isLinear: true, stepsFor: (length) => STEPS_OF_RE2 + length * engine.effort }
  } catch (cause) {
    if (!(cause instanceof UnsupportedSyntax)) throw cause
    // The proof limits how often the engine visits each position, but not how far it reads from there.
    if (looks && prove() !== undefined) return { engine: expression, isLinear: false, stepsFor: (length) => length ** 2 }
    const words = `may take too long to match, and RE2, which takes linear time, does not support ${cause.message}.`
    throw refuse(`${words} Rewrite the pattern, e.g. as several patterns in allOf.`, cause)
  }
}

/** Steps counted when RE2 starts a test. */
const STEPS_OF_RE2 = 40

function native(expression: RegExp, visits: number): Matcher {
  return { engine: expression, isLinear: true, stepsFor: (length) => (length * (1 + visits)) / 8 }
}

/** Returns a test that counts its steps, and that throws `TooManySteps` after too many of them. */
export function countingTest({ engine, stepsFor }: Matcher, counter: StepCounter): (text: string) => boolean {
  return (text) => {
    counter.take(stepsFor(text.length))
    try {
      return engine.test(text) && (!(engine instanceof RegExp) || matchesAtCharacter(engine, text))
    } catch (cause) {
      // V8's backtracking stack is full after about ten million positions, or four million in a program with so many expressions that V8
      // stops compiling them.
      throw cause instanceof RangeError ? new TooManySteps() : cause
    }
  }
}

/**
 * False if a match starts only between the two halves of a surrogate pair. The flag `u` forbids such a match, but V8 tries these positions,
 * where `\B` and negative lookarounds match. Takes about as long as finding the first match.
 */
function matchesAtCharacter(expression: RegExp, text: string): boolean {
  if (!expression.unicode || !PAIR.test(text)) return true
  const all = new RegExp(expression.source, `${expression.flags}g`)
  for (let found = all.exec(text); found !== null; found = all.exec(text)) {
    if (!PAIR.test(text.slice(Math.max(0, found.index - 1), found.index + 1))) return true
    all.lastIndex = found.index + 1
  }
  return false
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

/** Matches lookarounds and back-references, which the proof doesn't cover. */
const LOOKS = /\(\?<?[=!]|\\[1-9k]/
