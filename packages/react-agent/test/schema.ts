/** Test helper: a schema of another library. */
import type { TypedSchema } from '@x/tool-core'

/** Creates an object schema with one property, `amount`, whose parser is `parse`. */
export function schemaOf(parse: (amount: unknown) => unknown, type = 'string'): TypedSchema<object, object> {
  const args = { type: 'object', properties: { amount: { type } }, required: ['amount'] }
  const validate = (value: unknown) => {
    const amount = parse((value as { amount?: unknown }).amount)
    return amount === undefined ? { issues: [{ message: 'does not fit', path: ['amount'] }] } : { value: { amount } }
  }
  const standard = { version: 1, vendor: 'test', validate, jsonSchema: { input: () => args, output: () => args } }
  return { '~standard': standard } as unknown as TypedSchema<object, object>
}
