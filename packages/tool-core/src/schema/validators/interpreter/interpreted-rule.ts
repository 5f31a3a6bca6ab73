/** The contract for keywords of the interpreting validator. */
import type { SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import type { Failure } from '../issues/failure.ts'
import type { Evaluated } from './evaluated.ts'
import type { Work } from './interpreted-assertions.ts'
import type { At } from './interpreted-place.ts'

/** Returns false after it has reported a failure. */
export type Rule = (value: unknown, at: At, evaluated: Evaluated) => boolean

/** Creates the rule for a keyword. Undefined if it allows every value and evaluates nothing. */
export type DefineRule = (operand: unknown, node: SchemaNode, run: Run) => Rule | undefined

/** What a rule needs from the interpretation. */
export interface Run {
  readonly facts: SchemaFacts
  readonly work: Work
  /** True if a part of the schema depends on what others have evaluated. */
  readonly isTracking: boolean
  /** True if failures are collected. */
  readonly collects: boolean
  /** Returns what a schema evaluates in a valid value. Reports the failures of an invalid value. */
  evaluate(schema: unknown, value: unknown, at: At): Evaluated | undefined
  /** Evaluates a member of a value. The schema is at `keyword`, and at a key of it. */
  evaluateMember(schema: unknown, member: unknown, at: At, key: string | number, way: SchemaWay): boolean
  /** Evaluates the target of a reference: once for each value, and for each place if failures are collected. */
  evaluateOnce(target: SchemaNode, value: unknown, at: At): Evaluated | undefined
  /** The outermost subschema on the way that has the dynamic anchor. */
  outermost(name: string): SchemaNode | undefined
  /** True if all items pass. Stops at the first that doesn't, unless failures are collected. */
  every<Item>(items: readonly Item[], passes: (item: Item) => boolean): boolean
  /** Reports no failures. */
  evaluateQuietly(schema: unknown, value: unknown, at: At): Evaluated | undefined
  /** Returns the number of failures so far. */
  startUnion(): number
  /** Forgets the failures since the start if one of the schemas is valid. */
  endUnion(start: number, isValid: boolean): void
  fail(at: At, keyword: string, params: Failure['params'], message?: string): false
}

export type SchemaWay = readonly [keyword: string, key?: string | number]
