/** Patterns of a schema: one that can blow up is refused, one that is merely slow gets a longest text. */
import { ToolError } from './errors.ts'
import { shorten } from './issue.ts'
import { pointerSegment } from './pointer.ts'
import { foreignVendorOf, isSchemaNode, type SchemaNode } from './schema.ts'
import { effortOf, type MatchCost } from './validation/pattern-effort.ts'
import { type GroupCheck, importGroupCheck, loadGroupCheck } from './validation/redos.ts'
import { subschemasOf } from './validation/subschemas.ts'

/** A pattern, ready to be matched. */
export interface Matcher {
  readonly expression: RegExp
  /** The longest text that may be matched, in characters; `Infinity` for a pattern that takes linear time. */
  readonly longest: number
  /** What matching a text costs at most. */
  readonly cost: MatchCost
}

const matchers = new WeakMap<object, ReadonlyMap<string, Matcher>>()

/**
 * Throws `invalid_definition` for a pattern, or a key of `patternProperties`, that is no regular expression or that a short
 * text can keep busy for ever, and for a schema that holds itself, one of another library or a property without one. Where the
 * checker cannot be loaded at once, as in a browser, that waits for the first use.
 */
export function assertSafePatterns(schema: object, owner: string, field: string): void {
  if (objectsLeft(schema, FEW_OBJECTS) > 0) return
  const patterns = patternsOf(schema, `${owner}: ${field}`)
  if (patterns.length === 0 || matchers.has(schema)) return
  const read = patterns.map((pattern) => readPattern(pattern, `${owner}: the pattern`, field))
  const check = read.some(needsCheck) ? loadGroupCheck() : () => true
  if (check !== undefined) keep(schema, read, check)
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
    if (foreignVendorOf(child) !== undefined) return 0
    if (typeof child === 'object' && child !== null) left = objectsLeft(child, left, key === 'properties')
    else if (isMap && typeof child !== 'boolean') return 0
  }
  return left
}

/** The patterns of a schema as they are to be matched. Rejects as `assertSafePatterns` throws, for what that left unchecked. */
export async function matchersOf(schema: object): Promise<ReadonlyMap<string, Matcher>> {
  const known = matchers.get(schema)
  if (known !== undefined) return known
  const read = patternsOf(schema).map((pattern) => readPattern(pattern, 'A schema is wrong: the pattern', 'schema'))
  return keep(schema, read, read.some(needsCheck) ? await importGroupCheck() : () => true)
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
/** A pattern that can be tried only on shorter texts than this is of no use. */
const LEAST_LONGEST = 20

interface ReadPattern extends Matcher {
  readonly source: string
  readonly repeated: readonly string[]
  readonly refuse: (words: string) => ToolError
}

function readPattern({ source, pointer }: Pattern, subject: string, field: string): ReadPattern {
  const refuse = (words: string) =>
    new ToolError('invalid_definition', `${subject} ${JSON.stringify(shorten(source, MAX_SHOWN))} at ${field}${pointer} ${words}`)
  if (source.length > MAX_PATTERN) throw refuse(`is longer than ${MAX_PATTERN} characters.`)
  const expression = toExpression(source)
  if (expression === undefined) throw refuse('is no regular expression of JavaScript.')
  const effort = effortOf(source)
  if (effort === undefined) throw refuse('has groups that are nested too deeply.')
  if (effort.repeatsReference) throw refuse('refers back to a group inside a repeated group, which can take for ever to match.')
  if (effort.longest < LEAST_LONGEST) {
    throw refuse('can match a text in too many ways. Use fewer repetitions, optional parts and alternatives.')
  }
  return { source, expression, longest: effort.longest, cost: effort.cost, repeated: effort.repeated, refuse }
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

function needsCheck({ repeated }: ReadPattern): boolean {
  return repeated.length > 0
}

function keep(schema: object, read: readonly ReadPattern[], isSound: GroupCheck): ReadonlyMap<string, Matcher> {
  for (const { repeated, expression, refuse } of read) {
    const ambiguous = repeated.find((group) => !isSound(group, expression.unicode))
    if (ambiguous === undefined) continue
    const words = `can take for ever to match: the repeated part ${JSON.stringify(ambiguous)} can read one text in several ways.`
    throw refuse(`${words} Let each of its parts begin with a character that nothing before it takes.`)
  }
  const kept = new Map(read.map(({ source, expression, longest, cost }) => [source, { expression, longest, cost }]))
  matchers.set(schema, kept)
  return kept
}
