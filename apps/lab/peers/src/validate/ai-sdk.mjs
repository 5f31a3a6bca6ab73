/** AI SDK: `tool` with a zod schema. Validates arguments with `asSchema` and passes them to `execute`, like the SDK's loop. */
import { asSchema, tool } from 'ai'
import { manySchema, orderSchema } from './zod-schemas.mjs'

export function defineOrder(definition) {
  return toTool(definition, orderSchema())
}

export function defineMany(definitions) {
  return definitions.map((definition) => toTool(definition, manySchema(definition.most)))
}

function toTool({ description, execute }, inputSchema) {
  const definition = tool({ description, inputSchema, execute })
  return {
    async call(args) {
      const parsed = await asSchema(definition.inputSchema).validate(args)
      if (!parsed.success) return { ok: false, error: parsed.error }
      const options = { toolCallId: 'call_1', messages: [], context: undefined }
      return { ok: true, output: await definition.execute(parsed.value, options) }
    },
  }
}
