/** The port of a validator: what is known of a schema goes in, a check comes out. */
import type { Issue } from '../issue.ts'
import type { Matcher } from '../pattern.ts'
import type { SchemaNode } from '../schema.ts'
import { TOO_DEEP } from './bounds.ts'
import { TOO_COMPLEX, TooManySteps } from './steps.ts'

/** What is wrong with a value: at most ten issues, and always the same empty list for a value that fits. */
export type Check = (value: unknown) => readonly Issue[]

/** A schema with what was found out about it. */
export interface SchemaFacts {
  readonly schema: object
  /** The schema and all below it. */
  readonly nodes: readonly SchemaNode[]
  /** Its patterns by their source; each takes linear time. */
  readonly matchers: ReadonlyMap<string, Matcher>
}

/** Throws, with any error, for a wrong schema. */
export type Compile = (facts: SchemaFacts) => Check

/** Loads a validator, with what these facts need of it. */
export type LoadValidator = (facts: SchemaFacts) => Promise<Compile>

/** A check for which data that is deeper than the stack, or takes too many steps, is an issue. */
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
