/** Validation: the check of a schema, compiled once per schema object at its first use. Importing a tool costs nothing. */
import { isToolError } from '../errors.ts'
import type { Issue } from './issue.ts'
import { matchersOf } from './pattern.ts'
import { loadAjv } from './validators/ajv.ts'
import { beyondBounds } from './validators/bounds.ts'
import type { Check, SchemaFacts } from './validators/check.ts'
import { toDefinitionError } from './validators/definition-error.ts'
import { loadInterpreter } from './validators/interpreter.ts'
import { subschemasOf } from './validators/subschemas.ts'

export type { Check } from './validators/check.ts'

/**
 * What is wrong with any value, at most ten issues; empty when it fits. Own properties only, no coercion, no defaults: neither
 * value nor schema is changed. A value nested deeper than 512 levels, with more than a million values or 16 Mi characters, or
 * with a key that reaches prototypes has that one issue. Rejects with `invalid_definition` when the schema is wrong.
 */
export async function validate(schema: object, value: unknown): Promise<readonly Issue[]> {
  const check = await checkOf(schema)
  const excess = beyondBounds(value)
  return excess === undefined ? check(value) : [excess]
}

const checks = new WeakMap<object, Check | Promise<Check>>()

/**
 * The check of a schema: a promise at its first use, at once from then on. Rejects as `validate` does. The check trusts that
 * a value is bounded, as `prepareArgs` leaves it: it looks neither at depth nor at size.
 */
export function checkOf(schema: object): Check | Promise<Check> {
  return checks.get(schema) ?? compileOnce(schema)
}

function compileOnce(schema: object): Promise<Check> {
  const compiling = compile(schema).then(
    (check) => {
      checks.set(schema, check)
      return check
    },
    (error) => {
      // A wrong schema stays wrong, and to find the place takes long; what could not be loaded may be there the next time.
      if (!isToolError(error)) checks.delete(schema)
      throw error
    },
  )
  checks.set(schema, compiling)
  return compiling
}

async function compile(schema: object): Promise<Check> {
  const nodes = subschemasOf(schema).map(({ node }) => node)
  const facts: SchemaFacts = { schema, nodes, matchers: await matchersOf(schema) }
  const compileFacts = await (canGenerateCode() ? loadAjv : loadInterpreter)(facts)
  try {
    return compileFacts(facts)
  } catch (error) {
    throw toDefinitionError(error, facts, compileFacts)
  }
}

/** False under a content security policy, and in some workers. */
function canGenerateCode(): boolean {
  try {
    return Boolean(new Function('return true'))
  } catch {
    return false
  }
}
