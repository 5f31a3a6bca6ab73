/** The port of a validator: it compiles the facts of a schema to a check. */
import type { Issue } from '../issue.ts'
import type { Matcher } from '../pattern.ts'
import type { SchemaNode } from '../schema.ts'
import { TOO_DEEP } from './bounds.ts'
import { TOO_COMPLEX, TooManySteps } from './steps.ts'

/** Returns at most ten issues of a value, and always the same empty list for a valid value. */
export type Check = (value: unknown) => readonly Issue[]

/** A schema with facts that were derived from it. */
export interface SchemaFacts {
  readonly schema: object
  /** The schema and all of its subschemas. */
  readonly nodes: readonly SchemaNode[]
  /** Compiled patterns by their source. Each takes linear time. */
  readonly matchers: ReadonlyMap<string, Matcher>
}

/** Throws any error for a wrong schema. */
export type Compile = (facts: SchemaFacts) => Check

/** Loads a validator with the parts that the schema needs. */
export type LoadValidator = (facts: SchemaFacts) => Promise<Compile>

/** Wraps a check so that a stack overflow or too many steps become an issue. */
export function withinLimits(check: Check): Check {
  return (value) => {
    try {
      return check(value)
    } catch (error) {
      if (error instanceof RangeError) return [{ path: '', ...TOO_DEEP }]
      if (error instanceof TooManySteps) return [TOO_COMPLEX]
      throw error
    }
  }
}
