/** The contract that the interpreter's keywords implement. */
import type { SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import type { Failure } from '../issues/failure.ts'
import type { Evaluated } from './evaluated.ts'
import type { Work } from './interpreted-assertions.ts'
import type { At } from './interpreted-place.ts'

/** Checks a value. Returns false after it has reported a failure. */
export type Rule = (value: unknown, at: At, evaluated: Evaluated) => boolean

/** Creates the rule for a keyword. Returns undefined if the keyword allows every value and evaluates nothing. */
export type DefineRule = (operand: unknown, node: SchemaNode, run: Run) => Rule | undefined

/** What a rule needs from the interpretation. */
export interface Run {
  readonly facts: SchemaFacts
  readonly work: Work
  /** True if a part of the schema depends on what other parts have evaluated. */
  readonly isTracking: boolean
  /** True while failures are collected. */
  readonly collects: boolean
  /** Returns what a schema evaluates in a valid value. For an invalid value, reports the failures and returns undefined. */
  evaluate(schema: unknown, value: unknown, at: At): Evaluated | undefined
  /** Evaluates a member of a value. `way` is the path to the member's schema: the keyword, and for some keywords a key. */
  evaluateMember(schema: unknown, member: unknown, at: At, key: string | number, way: SchemaWay): boolean
  /** Evaluates the target of a reference once per value. While failures are collected, evaluates the target once per place. */
  evaluateOnce(target: SchemaNode, value: unknown, at: At): Evaluated | undefined
  /** Returns the outermost subschema with this dynamic anchor on the path to the reference. */
  outermost(name: string): SchemaNode | undefined
  /** Returns true if all items pass. Stops at the first one that doesn't, unless failures are collected. */
  every<Item>(items: readonly Item[], passes: (item: Item) => boolean): boolean
  /** Like `evaluate`, but reports no failures. */
  evaluateQuietly(schema: unknown, value: unknown, at: At): Evaluated | undefined
  /** Returns the number of failures so far, to pass to `endUnion`. */
  startUnion(): number
  /** Ends a union. If one of its schemas matched, discards the failures that were reported since `start`. */
  endUnion(start: number, isValid: boolean): void
  fail(at: At, keyword: string, params: Failure['params'], message?: string): false
}

export type SchemaWay = readonly [keyword: string, key?: string | number]
