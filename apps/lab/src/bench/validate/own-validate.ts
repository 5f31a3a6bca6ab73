/** Our validation: `defineTool` with TypeBox schemas, called by `callTool`. */
import { callTool, defineTool, type Tool } from '@x/tool-core'
// Loaded together with the subject, like the validators of other subjects. Otherwise, the first call would include loading AJV.
import 'ajv'
import { Type } from 'typebox'
import type { CallableTool, ToolDefinition } from './validate-workload.ts'

export function defineOrder({ name, description, execute }: ToolDefinition): CallableTool {
  return toCallable(defineTool({ name, description, args: orderSchema(), execute }))
}

export function defineMany(definitions: readonly ToolDefinition[]): readonly CallableTool[] {
  return definitions.map(({ name, description, most, execute }) =>
    toCallable(defineTool({ name, description, args: manySchema(most), execute })),
  )
}

function toCallable(tool: Tool): CallableTool {
  const { name } = tool
  return { call: (args) => callTool(tool, { id: 'call_1', name, args }) }
}

const CLOSED = { additionalProperties: false }

function orderSchema() {
  const text = Type.String({ minLength: 1 })
  return Type.Object(
    {
      customer: Type.Object(
        {
          name: text,
          email: Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' }),
          address: Type.Object(
            {
              street: text,
              city: text,
              postcode: Type.String({ maxLength: 10 }),
              country: Type.String({ pattern: '^[A-Z]{2}$' }),
            },
            CLOSED,
          ),
        },
        CLOSED,
      ),
      items: Type.Array(
        Type.Object(
          {
            sku: Type.String({ pattern: '^[A-Z]{2}-\\d{4}$' }),
            quantity: Type.Integer({ minimum: 1 }),
            price: Type.Number({ minimum: 0 }),
            tags: Type.Array(Type.String()),
          },
          CLOSED,
        ),
        { minItems: 1, maxItems: 50 },
      ),
      payment: Type.Union([
        Type.Object({ method: Type.Literal('invoice'), reference: Type.String(), days: Type.Integer({ minimum: 0 }) }, CLOSED),
        Type.Object({ method: Type.Literal('card'), last4: Type.String({ pattern: '^\\d{4}$' }), holder: text }, CLOSED),
      ]),
      priority: Type.Enum(['standard', 'express', 'overnight']),
      deliverOn: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
      gift: Type.Boolean(),
      notes: Type.String({ maxLength: 200 }),
    },
    CLOSED,
  )
}

function manySchema(most: number) {
  return Type.Object(
    {
      query: Type.String({ minLength: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: most }),
      unit: Type.Enum(['page', 'row']),
    },
    CLOSED,
  )
}
