/** Compiles the check of a schema, and explains the issues of other libraries. Loaded with the validators at the first call of a tool. */
import { loadAjv } from './ajv/ajv.ts'
import { isBeyondAjv } from './ajv/beyond-ajv.ts'
import { type Check, factsOf } from './check.ts'
import { toDefinitionError } from './definition-error.ts'
import { loadInterpreter } from './interpreter/interpreter.ts'

export { toForeignIssues, withoutValues } from '../foreign-issues.ts'

/** Compiles a schema with AJV, or interprets it where AJV can't be used. Rejects with `invalid_definition` if the schema is wrong. */
export async function compile(schema: object): Promise<Check> {
  const facts = await factsOf(schema)
  const compileFacts = await (canGenerateCode() && !isBeyondAjv(facts) ? loadAjv : loadInterpreter)(facts)
  try {
    return compileFacts(facts)
  } catch (error) {
    throw toDefinitionError(error, facts, compileFacts)
  }
}

/** False where a content security policy forbids code generation, and in some workers. */
function canGenerateCode(): boolean {
  try {
    return Boolean(new Function('return true'))
  } catch {
    return false
  }
}
