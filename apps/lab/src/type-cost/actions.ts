/** Actions with outputs and hooks, in sequence and in parallel. */
import { defineAction, parallel, sequence } from '@x/tool-core'
import { Type } from 'typebox'

const fetchOrder = defineAction({
  name: 'fetch_order',
  description: 'Fetches an order.',
  args: Type.Object({ id: Type.String() }),
  output: Type.Object({ id: Type.String(), total: Type.Number() }),
  hooks: { beforeValidate: (args) => args },
  execute: ({ id }) => ({ id, total: 1 }),
})
const rate = defineAction({
  name: 'rate',
  description: 'Rates an order.',
  args: Type.Object({ id: Type.String(), total: Type.Number() }),
  output: Type.Object({ stars: Type.Integer() }),
  execute: ({ total }) => ({ stars: total > 3 ? 5 : 1 }),
})
export const rated = sequence('rate_order', fetchOrder, rate)
export const both = parallel('both', { order: fetchOrder, rating: rate })
export const { stars } = await rated.execute({ id: '1' })
