/** Lets a test call one validator directly. */
import { matchersOf } from '../pattern.ts'
import type { Check, LoadValidator } from './check.ts'
import { subschemasOf } from './subschemas.ts'

export async function checkWith(load: LoadValidator, schema: object): Promise<Check> {
  const nodes = subschemasOf(schema).map(({ node }) => node)
  const facts = { schema, nodes, matchers: await matchersOf(schema) }
  return (await load(facts))(facts)
}
