/** The input for all subjects of the `validate` bench: an order of about 540 bytes of JSON, and its JSON Schema. */

export interface Order {
  readonly customer: { readonly name: string }
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
}

export const ORDER = {
  customer: {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    address: { street: "12 St James's Square", city: 'London', postcode: 'SW1Y 4JH', country: 'GB' },
  },
  items: [
    { sku: 'AB-1024', quantity: 2, price: 19.5, tags: ['fragile', 'glass'] },
    { sku: 'CD-2048', quantity: 1, price: 240, tags: [] },
    { sku: 'EF-4096', quantity: 12, price: 0.75, tags: ['bulk'] },
  ],
  payment: { method: 'card', last4: '4242', holder: 'A. Lovelace' },
  priority: 'express',
  deliverOn: '2026-12-01',
  gift: false,
  notes: 'Ring twice. Leave it with the neighbour after two minutes.',
}

/** The invalid fields of `BAD_ORDER`. */
export const WRONG_FIELDS = ['quantity', 'priority'] as const

export const BAD_ORDER = {
  ...ORDER,
  items: ORDER.items.map((item, index) => (index === 1 ? { ...item, quantity: 'two' } : item)),
  priority: 'yesterday',
}

/** Returns the JSON Schema of an order. It is built only for subjects that use JSON Schema, so that others don't have to do this work. */
export function orderParameters(): object {
  return closed({
    customer: closed({
      name: { type: 'string', minLength: 1 },
      email: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' },
      address: closed({
        street: { type: 'string', minLength: 1 },
        city: { type: 'string', minLength: 1 },
        postcode: { type: 'string', maxLength: 10 },
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
      }),
    }),
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: closed({
        sku: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
        quantity: { type: 'integer', minimum: 1 },
        price: { type: 'number', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' } },
      }),
    },
    payment: {
      anyOf: [
        closed({
          method: { type: 'string', const: 'invoice' },
          reference: { type: 'string' },
          days: { type: 'integer', minimum: 0 },
        }),
        closed({
          method: { type: 'string', const: 'card' },
          last4: { type: 'string', pattern: '^\\d{4}$' },
          holder: { type: 'string', minLength: 1 },
        }),
      ],
    },
    priority: { enum: ['standard', 'express', 'overnight'] },
    deliverOn: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    gift: { type: 'boolean' },
    notes: { type: 'string', maxLength: 200 },
  })
}

/** Requires all properties and allows no others. */
export function closed(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
