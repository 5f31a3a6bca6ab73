/** valibot: `safeParse`, then the tool. */
import * as v from 'valibot'

export function defineOrder({ execute }) {
  return toTool(orderSchema(), execute)
}

export function defineMany(definitions) {
  return definitions.map(({ most, execute }) => toTool(manySchema(most), execute))
}

function toTool(schema, execute) {
  return {
    async call(args) {
      const parsed = v.safeParse(schema, args)
      if (!parsed.success) return { ok: false, error: { message: v.summarize(parsed.issues) } }
      return { ok: true, output: await execute(parsed.output) }
    },
  }
}

function orderSchema() {
  const text = v.pipe(v.string(), v.minLength(1))
  return v.strictObject({
    customer: v.strictObject({
      name: text,
      email: v.pipe(v.string(), v.regex(/^[^@\s]+@[^@\s]+$/)),
      address: v.strictObject({
        street: text,
        city: text,
        postcode: v.pipe(v.string(), v.maxLength(10)),
        country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
      }),
    }),
    items: v.pipe(
      v.array(
        v.strictObject({
          sku: v.pipe(v.string(), v.regex(/^[A-Z]{2}-\d{4}$/)),
          quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
          price: v.pipe(v.number(), v.minValue(0)),
          tags: v.array(v.string()),
        }),
      ),
      v.minLength(1),
      v.maxLength(50),
    ),
    payment: v.variant('method', [
      v.strictObject({
        method: v.literal('invoice'),
        reference: v.string(),
        days: v.pipe(v.number(), v.integer(), v.minValue(0)),
      }),
      v.strictObject({ method: v.literal('card'), last4: v.pipe(v.string(), v.regex(/^\d{4}$/)), holder: text }),
    ]),
    priority: v.picklist(['standard', 'express', 'overnight']),
    deliverOn: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/)),
    gift: v.boolean(),
    notes: v.pipe(v.string(), v.maxLength(200)),
  })
}

function manySchema(most) {
  return v.strictObject({
    query: v.pipe(v.string(), v.minLength(1)),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)),
    unit: v.picklist(['page', 'row']),
  })
}
