/** zod: `safeParse`, then the tool. */
import { z } from 'zod'
import { manySchema, orderSchema } from './zod-schemas.mjs'

export function defineOrder({ execute }) {
  return toTool(orderSchema(), execute)
}

export function defineMany(definitions) {
  return definitions.map(({ most, execute }) => toTool(manySchema(most), execute))
}

function toTool(schema, execute) {
  return {
    async call(args) {
      const parsed = schema.safeParse(args)
      if (!parsed.success) return { ok: false, error: { message: z.prettifyError(parsed.error) } }
      return { ok: true, output: await execute(parsed.data) }
    },
  }
}
