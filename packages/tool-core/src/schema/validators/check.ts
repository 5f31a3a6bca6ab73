/** The interface of validators. A validator compiles a schema to a check. */
import { type Issue, NO_ISSUES } from '../issue.ts'
import { type Matcher, matchersOf } from '../pattern.ts'
import { TOO_DEEP } from './bounds.ts'
import { explain } from './issues/explain.ts'
import type { Failure } from './issues/failure.ts'
import { type LinkedSchema, linkedSchemaOf } from './references/linked-schema.ts'
import { countValues, MAX_STEPS, stepsOfAll, TOO_COMPLEX, TooManySteps } from './steps.ts'

/** Returns at most ten issues for a value. The result for a valid value is always the same empty list. */
export type Check = (value: unknown) => readonly Issue[]

/** A schema with the facts that are derived from it. */
export interface SchemaFacts extends LinkedSchema {
  readonly original: object
  /** Compiled patterns. Each key is the source of a pattern. */
  readonly matchers: ReadonlyMap<string, Matcher>
}

export async function factsOf(schema: object): Promise<SchemaFacts> {
  return { ...linkedSchemaOf(schema), original: schema, matchers: await matchersOf(schema) }
}

/** Compiles the facts about a schema into a check. May throw any error if the schema is invalid. */
export type Compile = (facts: SchemaFacts) => Check

/** Loads a validator, together with the parts that the schema needs. */
export type LoadValidator = (facts: SchemaFacts) => Promise<Compile>

/** Returns the failures of a value. Throws `TooManySteps` if the check takes more than `steps`. */
export type FindFailures = (value: unknown, steps: number) => readonly Failure[]

/**
 * Creates a check that stops at the first failure. If the value is invalid and not too large, a second pass collects all failures. A stack
 * overflow and too many steps are reported as issues.
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

/**
 * If a value has this many members, only its first error is reported, because results for recursive schemas are cached per path. The limit
 * is higher for a small schema without references.
 */
const FEW_VALUES = 10_000
/** Maximum number of steps for collecting all errors. Beyond it, only the first error is reported. */
const FEW_STEPS = 1_000_000
/** The same limit for schemas with references. Their steps take longer, because results and errors are cached per path. */
const FEW_STEPS_OF_REFERENCES = 250_000
