/** Converts a validator's error about a schema to an error that shows where in the schema the mistake is. */
import { isToolError, ToolError } from '../../errors.ts'
import type { Compile, SchemaFacts } from './check.ts'
import { subschemasOf } from './subschemas.ts'

export function toDefinitionError(error: unknown, facts: SchemaFacts, compile: Compile): ToolError {
  if (isToolError(error)) return error
  const cause = error instanceof RangeError ? new Error('it is nested too deeply, or contains itself') : (error as Error)
  const place = placeOf(facts, compile)
  const where = place === undefined ? '' : ` at ${place}`
  return new ToolError('invalid_definition', `Invalid schema${where}: ${cause.message}.`, { cause: error })
}

const MAX_TRIES = 500

/** Returns the pointer to the first keyword that fails to compile on its own. */
function placeOf(facts: SchemaFacts, compile: Compile): string | undefined {
  let tries = 0
  for (const { node, pointer } of subschemasOf(facts.original)) {
    for (const [keyword, value] of Object.entries(node)) {
      if (NOT_ALONE.has(keyword) || (typeof value === 'object' && value !== null && !Array.isArray(value))) continue
      if (++tries > MAX_TRIES) return undefined
      const schema = { [keyword]: value }
      if (!compiles({ ...facts, schema, nodes: [schema] }, compile)) return `${pointer}/${keyword}`
    }
  }
  return undefined
}

/** Keywords that don't compile alone, because they depend on the rest of the schema. */
const NOT_ALONE = new Set([
  '$ref',
  '$recursiveRef',
  '$dynamicRef',
  '$schema',
  '$id',
  'nullable',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
])

function compiles(facts: SchemaFacts, compile: Compile): boolean {
  try {
    compile(facts)
    return true
  } catch {
    return false
  }
}
