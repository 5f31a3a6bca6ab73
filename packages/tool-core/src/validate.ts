/** Validation: the check of a schema, compiled once per schema object at its first use. Importing a tool costs nothing. */
import { type Issue, NO_ISSUES } from './issue.ts'
import { compileWithAjv } from './validation/ajv.ts'

export { type Issue, MAX_ISSUES, renderIssues } from './issue.ts'

/** What is wrong with a value: at most ten issues, and always the same empty list for a value that fits. */
export type Check = (value: unknown) => readonly Issue[]

const checks = new WeakMap<object, Check | Promise<Check>>()

/**
 * What is wrong with a value, at most ten issues; empty when it fits. Own properties only, no coercion, no defaults: neither
 * value nor schema is changed. Rejects with `invalid_definition` when the schema is wrong.
 */
export async function validate(schema: object, value: unknown): Promise<readonly Issue[]> {
  return (await checkOf(schema))(value)
}

/**
 * The check of a schema: a promise until it is compiled, at once from then on. Rejects as `validate` does, at every use. It
 * trusts that the value is bounded in depth and size, as `prepareArgs` leaves it.
 */
export function checkOf(schema: object): Check | Promise<Check> {
  return checks.get(schema) ?? compileOnce(schema)
}

function compileOnce(schema: object): Promise<Check> {
  const compiling = compileWithAjv(schema).then(
    (check) => {
      checks.set(schema, check)
      return check
    },
    (error) => {
      checks.delete(schema)
      throw error
    },
  )
  checks.set(schema, compiling)
  return compiling
}
