/** Patterns of a schema: each is matched in linear time, by JavaScript's engine where that is proven, else by RE2. */
import { ToolError } from '../errors.ts'
import { shorten } from './issue.ts'
import { pointerSegment } from './pointer.ts'
import { foreignVendorOf, isSchemaNode, type SchemaNode } from './schema.ts'
import { type LinearPattern, UnsupportedSyntax } from './validators/linear-pattern.ts'
import { importEngines, loadEngines, madeManyProofs, nextTask, type PatternEngines } from './validators/pattern-engines.ts'
import { isSimplePattern } from './validators/simple-pattern.ts'
import { type StepCounter, TooManySteps } from './validators/steps.ts'
import { isDataKeyword, subschemasOf } from './validators/subschemas.ts'

/** A pattern, ready to be matched. */
export interface Matcher {
  readonly engine: LinearPattern
  /** False where it may take the square of a text's length: it looks around, or refers back, in ways that RE2 lacks. */
  readonly isLinear: boolean
  /** Of one test of a text with so many characters. */
  readonly stepsFor: (length: number) => number
}

const matchers = new WeakMap<object, ReadonlyMap<string, Matcher>>()

/**
 * Throws `invalid_definition` for a pattern, or a key of `patternProperties`, that isn't a regular expression or can't be matched in
 * linear time, and for a schema that holds itself, one of another library or a property without one. Where the engines can't be loaded at
 * once, as in a browser, and where many definitions in a row take long proofs, that waits for the first use.
 */
export function assertSafePatterns(schema: object, owner: string, field: string): void {
  if (objectsLeft(schema, FEW_OBJECTS) > 0) return
  const patterns = patternsOf(schema, `${owner}: ${field}`)
  if (patterns.length === 0 || matchers.has(schema)) return
  const read = patterns.map((pattern) => readPattern(pattern, `${owner}: the pattern`, field))
  const doubtful = read.filter(({ expression }) => mayBeRefused(expression))
  const engines = doubtful.length > 0 ? loadEngines() : undefined
  if (engines !== undefined) for (const pattern of doubtful) assertMatched(pattern, engines)
}

const FEW_OBJECTS = 100

/**
 * How many of the allowed objects a schema leaves over; none where it may hold a pattern, what is no schema or itself, which
 * takes a longer look.
 * Nearly all schemas are done with this: it allocates nothing, and a thousand tools may be defined before the first is called.
 */
function objectsLeft(node: object, allowed: number, isMap = false): number {
  let left = allowed - 1
  for (const key in node) {
    if (left === 0 || key === 'pattern' || key === 'patternProperties') return 0
    const child = (node as SchemaNode)[key]
    if (typeof child === 'object' && child !== null) {
      if (Array.isArray(child) && !isMap && isDataKeyword(key)) continue
      left = foreignVendorOf(child) === undefined ? objectsLeft(child, left, key === 'properties') : 0
    } else if (typeof child === 'function' || (isMap && typeof child !== 'boolean')) return 0
  }
  return left
}

/** The patterns of a schema as they are to be matched. Rejects as `assertSafePatterns` throws, for what that left unchecked. */
export async function matchersOf(schema: object): Promise<ReadonlyMap<string, Matcher>> {
  const known = matchers.get(schema)
  if (known !== undefined) return known
  const read = patternsOf(schema).map((pattern) => readPattern(pattern, 'A schema is wrong: the pattern', 'schema'))
  const engines = read.every(({ expression }) => isSimplePattern(expression)) ? undefined : await importEngines()
  const found = new Map<string, Matcher>()
  for (const pattern of read) {
    if (madeManyProofs()) await nextTask()
    found.set(pattern.source, toMatcher(pattern, engines))
  }
  matchers.set(schema, found)
  return found
}

interface Pattern {
  readonly source: string
  /** JSON pointer of its keyword. */
  readonly pointer: string
}

function patternsOf(schema: object, subject = 'A schema is wrong: it'): readonly Pattern[] {
  return subschemasOf(schema, subject).flatMap(({ node, pointer }) => {
    const { pattern, patternProperties } = node
    const keys = typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []
    const patterns = keys.map((source) => ({ source, pointer: `${pointer}/patternProperties/${pointerSegment(source)}` }))
    if (isSchemaNode(pattern) && Object.hasOwn(pattern, '$data')) {
      throw new ToolError('invalid_definition', `${subject} takes a pattern from the value itself at ${pointer}/pattern.`)
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
  if (source.length > MAX_PATTERN) throw refuse(`is longer than ${MAX_PATTERN} characters.`)
  const expression = toExpression(source)
  if (expression === undefined) throw refuse('is no regular expression of JavaScript.')
  return { source, expression, refuse }
}

/** As JSON Schema says, with the flag `u`; patterns that were written without it are taken too. */
function toExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      const expression = new RegExp(source, flags)
      // An engine finds out at the first match that an expression is too large for it.
      expression.test('')
      return expression
    } catch {
      // Then the next.
    }
  }
  return undefined
}

/** What RE2 may lack: lookaheads, back-references, properties, half characters, and repetitions of more than 1,000. */
function mayBeRefused(expression: RegExp): boolean {
  return (
    !isSimplePattern(expression) &&
    /\(\?[=!]|\\[1-9kpPuc]|\d{4}|\[\^?\]|[\ud800-\udfff]|[{},]\d{2,}.*[{},]\d{2,}/.test(expression.source)
  )
}

/** Throws for a pattern that `toMatcher` would refuse. RE2 is asked first, which takes no proof. */
function assertMatched(pattern: ReadPattern, engines: PatternEngines): void {
  try {
    engines.compile(pattern.expression)
  } catch {
    if (!madeManyProofs()) toMatcher(pattern, engines)
  }
}

function toMatcher({ expression, refuse }: ReadPattern, engines: PatternEngines | undefined): Matcher {
  if (engines === undefined || isSimplePattern(expression)) return native(expression, 1)
  const looks = LOOKS.test(expression.source)
  const prove = () => (engines.isProvable(expression) ? engines.visitsOf(expression) : undefined)
  const visits = looks ? undefined : prove()
  if (visits !== undefined) return native(expression, visits)
  try {
    const engine = engines.compile(expression)
    return { engine, isLinear: true, stepsFor: (length) => STEPS_OF_RE2 + length * engine.effort }
  } catch (cause) {
    if (!(cause instanceof UnsupportedSyntax)) throw cause
    // The proof counts how often a place is come back to, not how far is looked from there.
    if (looks && prove() !== undefined) return { engine: expression, isLinear: false, stepsFor: (length) => length ** 2 }
    const words = `may take too long to match, and RE2, which would not, has no ${cause.message}.`
    throw refuse(`${words} Write it without, e.g. as several patterns in allOf.`, cause)
  }
}

/** To begin a test in RE2. */
const STEPS_OF_RE2 = 40

function native(expression: RegExp, visits: number): Matcher {
  return { engine: expression, isLinear: true, stepsFor: (length) => (length * (1 + visits)) / 8 }
}

/** Matches texts and counts the steps. Throws `TooManySteps`. */
export function countingTest({ engine, stepsFor }: Matcher, counter: StepCounter): (text: string) => boolean {
  return (text) => {
    counter.take(stepsFor(text.length))
    try {
      return engine.test(text)
    } catch (cause) {
      // V8 keeps a place to come back to for many characters. It has room for some ten million of them, and for some four million in a
      // program with so many expressions that it compiles no more of them.
      throw cause instanceof RangeError ? new TooManySteps() : cause
    }
  }
}

/** Lookarounds and back-references: what they read again is not seen by the proof. */
const LOOKS = /\(\?<?[=!]|\\[1-9k]/
