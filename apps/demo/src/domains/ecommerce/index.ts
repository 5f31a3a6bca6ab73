/** The online shop: products, cart and orders in an SQL database. */
import { approvalRequired } from '@x/toolset'
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'
import { EcommerceToolset } from './toolset.ts'

export default {
  name: 'ecommerce',
  instructions: 'Help a customer of an online shop: find products, fill the cart, and place, track and return orders.',
  createTools: ({ connect }) => [approvalRequired(new EcommerceToolset(connect), ['checkout', 'return_order'])],
  scenarios,
} satisfies Domain
