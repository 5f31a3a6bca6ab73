/** The interface for a validator, which compiles a schema's facts to a check. */
import { type Issue, NO_ISSUES } from '../issue.ts'
import { type Matcher, matchersOf } from '../pattern.ts'
import { TOO_DEEP } from './bounds.ts'
import { explain } from './issues/explain.ts'
import type { Failure } from './issues/failure.ts'
import { type LinkedSchema, linkedSchemaOf } from './references/linked-schema.ts'
import { countValues, MAX_STEPS, stepsOfAll, TOO_COMPLEX, TooManySteps } from './steps.ts'

/** Returns at most ten issues of a value, and always the same empty list for a valid value. */
export type Check = (value: unknown) => readonly Issue[]

/** A schema with facts that were derived from it. */
export interface SchemaFacts extends LinkedSchema {
  readonly original: object
  /** Compiled patterns by their source. Each takes linear time. */
  readonly matchers: ReadonlyMap<string, Matcher>
}

export async function factsOf(schema: object): Promise<SchemaFacts> {
  return { ...linkedSchemaOf(schema), original: schema, matchers: await matchersOf(schema) }
}

/** Throws an error of any kind for an invalid schema. */
export type Compile = (facts: SchemaFacts) => Check

/** Loads a validator with the parts that the schema needs. */
export type LoadValidator = (facts: SchemaFacts) => Promise<Compile>

/** Returns a value's failures. Throws `TooManySteps` beyond this number of steps. */
export type FindFailures = (value: unknown, steps: number) => readonly Failure[]

/**
 * Creates a check. It stops at the first failure. An invalid value that isn't too large is then checked again for all of its failures. A
 * stack overflow or too many steps become an issue.
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

/** A value with more values gets only its first error, because recursive schemas keep results for each place. */
const FEW_VALUES = 10_000
/** If collecting all errors takes more steps, a value gets only its first error. */
const FEW_STEPS = 1_000_000
/** References take longer, because results and errors are kept for each place. */
const FEW_STEPS_OF_REFERENCES = 250_000
