/** The schemas of the `validate` bench, in zod. */
import { z } from 'zod'

export function orderSchema() {
  return z.strictObject({
    customer: z.strictObject({
      name: z.string().min(1),
      email: z.string().regex(/^[^@\s]+@[^@\s]+$/),
      address: z.strictObject({
        street: z.string().min(1),
        city: z.string().min(1),
        postcode: z.string().max(10),
        country: z.string().regex(/^[A-Z]{2}$/),
      }),
    }),
    items: z
      .array(
        z.strictObject({
          sku: z.string().regex(/^[A-Z]{2}-\d{4}$/),
          quantity: z.int().min(1),
          price: z.number().min(0),
          tags: z.array(z.string()),
        }),
      )
      .min(1)
      .max(50),
    payment: z.discriminatedUnion('method', [
      z.strictObject({ method: z.literal('invoice'), reference: z.string(), days: z.int().min(0) }),
      z.strictObject({ method: z.literal('card'), last4: z.string().regex(/^\d{4}$/), holder: z.string().min(1) }),
    ]),
    priority: z.enum(['standard', 'express', 'overnight']),
    deliverOn: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    gift: z.boolean(),
    notes: z.string().max(200),
  })
}

export function manySchema(most) {
  return z.strictObject({ query: z.string().min(1), limit: z.int().min(1).max(most), unit: z.enum(['page', 'row']) })
}
