/** The interface of a validator, which compiles the facts about a schema to a check. */
import { type Issue, NO_ISSUES } from '../issue.ts'
import { type Matcher, matchersOf } from '../pattern.ts'
import { TOO_DEEP } from './bounds.ts'
import { explain } from './issues/explain.ts'
import type { Failure } from './issues/failure.ts'
import { type LinkedSchema, linkedSchemaOf } from './references/linked-schema.ts'
import { countValues, MAX_STEPS, stepsOfAll, TOO_COMPLEX, TooManySteps } from './steps.ts'

/** Returns at most ten issues of a value. For a valid value, always returns the same empty list. */
export type Check = (value: unknown) => readonly Issue[]

/** A schema, and facts that were derived from it. */
export interface SchemaFacts extends LinkedSchema {
  readonly original: object
  /** Compiled patterns by source. */
  readonly matchers: ReadonlyMap<string, Matcher>
}

export async function factsOf(schema: object): Promise<SchemaFacts> {
  return { ...linkedSchemaOf(schema), original: schema, matchers: await matchersOf(schema) }
}

/** Compiles the facts about a schema. Throws an error of any kind if the schema is invalid. */
export type Compile = (facts: SchemaFacts) => Check

/** Loads a validator with the parts that the schema needs. */
export type LoadValidator = (facts: SchemaFacts) => Promise<Compile>

/** Returns a value's failures. Throws `TooManySteps` if that takes more steps than allowed. */
export type FindFailures = (value: unknown, steps: number) => readonly Failure[]

/**
 * Creates a check. It stops at the first failure. If the value is invalid and isn't too large, it is checked again to collect all failures.
 * A stack overflow or too many steps are reported as an issue.
 */
export function toCheck(facts: SchemaFacts, find: (collects: boolean) => FindFailures): Check {
  const refers = facts.targets.size > 0 || facts.dynamic !== undefined
  const few = refers ? FEW_VALUES : Math.max(FEW_VALUES, FEW_STEPS / stepsOfAll(facts.nodes))
  const fewSteps = refers ? FEW_STEPS_OF_REFERENCES : FEW_STEPS
  const findFirst = find(false)
  let findAll: FindFailures | undefined
  const failuresOf = (value: unknown, first: readonly Failure[]): readonly Failure[] => {
    if (countValues(value, few) >= few) return first
    findAll ??= find(true)
    try {
      const all = findAll(value, fewSteps)
      return all.length > 0 ? all : first
    } catch (error) {
      if (error instanceof TooManySteps) return first
      throw error
    }
  }
  return (value) => {
    try {
      const first = findFirst(value, MAX_STEPS)
      return first.length === 0 ? NO_ISSUES : explain(facts.schema, value, failuresOf(value, first))
    } catch (error) {
      if (error instanceof RangeError) return [{ path: '', ...TOO_DEEP }]
      if (error instanceof TooManySteps) return [TOO_COMPLEX]
      throw error
    }
  }
}

/** For a value with more members than this, only the first error is reported, because recursive schemas keep results for each place. */
const FEW_VALUES = 10_000
/** Maximum number of steps to collect all errors. If they are used up, only the first error is reported. */
const FEW_STEPS = 1_000_000
/** The same limit for schemas with references, for which a step takes longer, because results and errors are kept for each place. */
const FEW_STEPS_OF_REFERENCES = 250_000
