/** Lets a test call one validator directly. */
import { matchersOf } from '../../../src/schema/pattern.ts'
import type { Check, LoadValidator } from '../../../src/schema/validators/check.ts'
import { subschemasOf } from '../../../src/schema/validators/subschemas.ts'

export async function checkWith(load: LoadValidator, schema: object): Promise<Check> {
  const nodes = subschemasOf(schema).map(({ node }) => node)
  const facts = { schema, nodes, matchers: await matchersOf(schema) }
  return (await load(facts))(facts)
}
