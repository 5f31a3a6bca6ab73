/** Lets a test call one validator directly. */
import { type Check, factsOf, type LoadValidator } from '../../../src/schema/validators/check.ts'

export async function checkWith(load: LoadValidator, schema: object): Promise<Check> {
  const facts = await factsOf(schema)
  return (await load(facts))(facts)
}
