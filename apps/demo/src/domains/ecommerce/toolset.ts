/** The shop as a toolset. Every tool acts for the run's user. All tools use one SQL database, which the first call opens. */
import { method, Toolset } from '@x/toolset'
import * as Type from 'typebox'
import type { Connect } from '../../sql/database.ts'
import type { SqlClient, SqlExecutor } from '../../sql/sql-client.ts'
import { userContext } from '../domain.ts'
import { addToCart, removeFromCart, updateCart, viewCart } from './cart.ts'
import { CATEGORIES } from './catalog.ts'
import { checkOut, listOrders, returnOrder, trackOrder } from './orders.ts'
import { findProduct, searchProducts } from './products.ts'
import { shopTables } from './schema.ts'

/** Default of the maximum price, in dollars. It is above all prices. */
const MAX_PRICE = 1_000_000

const productId = Type.String({ minLength: 1, description: 'Id of the product, as a product search returns it, e.g. "LAP-101"' })
const orderId = Type.String({ minLength: 1, description: 'Id of the order, e.g. "ORD-1001"' })

export class EcommerceToolset extends Toolset {
  readonly name = 'ecommerce'
  readonly #open: Connect

  constructor(connect: Connect) {
    super()
    this.#open = connect
  }

  readonly searchProducts = method({
    name: 'search_products',
    description: 'Search the products of the shop by words, category, price and rating',
    effect: 'read',
    args: Type.Object({
      query: Type.Optional(Type.String({ description: 'Words that the product name or description contains' })),
      category: Type.Optional(Type.Enum([...CATEGORIES], { description: 'Product category' })),
      max_price: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'Highest price in dollars' })),
      min_price: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'Lowest price in dollars' })),
      min_rating: Type.Optional(
        Type.Number({ minimum: 0, maximum: 5, description: 'Lowest customer rating, in stars from 0 to 5' }),
      ),
    }),
    execute: async (filter) => searchProducts(await this.#connect(), filter),
  })

  readonly getProductDetails = method({
    name: 'get_product_details',
    description: 'Get the details of one product: description, price or cost, rating in stars, and the available stock',
    effect: 'read',
    args: Type.Object({ product_id: productId }),
    execute: async ({ product_id }) => findProduct(await this.#connect(), product_id),
  })

  readonly addToCart = method({
    name: 'add_to_cart',
    description: 'Add a product to the shopping cart, or basket, to buy it',
    effect: 'write',
    args: Type.Object({
      product_id: productId,
      quantity: Type.Integer({ minimum: 1, default: 1, description: 'How many to add' }),
    }),
    context: userContext,
    execute: ({ product_id, quantity }, { values: { user_id } }) =>
      this.#write((executor) => addToCart(executor, user_id, product_id, quantity)),
  })

  readonly updateCartItem = method({
    name: 'update_cart_item',
    description: 'Change the quantity of a product that is already in the shopping cart, or basket; 0 removes it',
    effect: 'idempotent',
    args: Type.Object({
      product_id: productId,
      quantity: Type.Integer({ minimum: 0, description: 'The new quantity' }),
    }),
    context: userContext,
    execute: ({ product_id, quantity }, { values: { user_id } }) =>
      this.#write((executor) => updateCart(executor, user_id, product_id, quantity)),
  })

  readonly removeFromCart = method({
    name: 'remove_from_cart',
    description: 'Remove a product from the shopping cart, or basket',
    effect: 'idempotent',
    args: Type.Object({ product_id: productId }),
    context: userContext,
    execute: ({ product_id }, { values: { user_id } }) =>
      this.#write((executor) => removeFromCart(executor, user_id, product_id)),
  })

  readonly viewCart = method({
    name: 'view_cart',
    description: 'View the shopping cart, or basket: what is in it and the total price, or cost',
    effect: 'read',
    args: Type.Object({}),
    context: userContext,
    execute: async (_, { values: { user_id } }) => viewCart(await this.#connect(), user_id),
  })

  readonly checkout = method({
    name: 'checkout',
    description: 'Check out: order, or buy, everything that is in the shopping cart, or basket',
    effect: 'write',
    args: Type.Object({
      shipping_address: Type.String({ default: '', description: 'Address to ship to. Default: the address on file' }),
    }),
    context: userContext,
    execute: ({ shipping_address }, { values: { user_id } }) =>
      this.#write((executor) => checkOut(executor, user_id, shipping_address, new Date())),
  })

  readonly listOrders = method({
    name: 'list_orders',
    description: 'List all orders, or purchases, of the user with their status and total, latest first',
    effect: 'read',
    args: Type.Object({}),
    context: userContext,
    execute: async (_, { values: { user_id } }) => listOrders(await this.#connect(), user_id),
  })

  readonly trackOrder = method({
    name: 'track_order',
    description: 'Track an order, or package: its status, contents and when it is delivered or arrives',
    effect: 'read',
    args: Type.Object({ order_id: orderId }),
    context: userContext,
    execute: async ({ order_id }, { values: { user_id } }) => trackOrder(await this.#connect(), user_id, order_id),
  })

  readonly returnOrder = method({
    name: 'return_order',
    description: 'Return an order and refund its total',
    effect: 'write',
    args: Type.Object({
      order_id: orderId,
      reason: Type.String({ default: '', description: 'Why the order is returned' }),
    }),
    context: userContext,
    execute: ({ order_id, reason }, { values: { user_id } }) =>
      this.#write((executor) => returnOrder(executor, user_id, order_id, reason)),
  })

  async #write<Output>(work: (executor: SqlExecutor) => Promise<Output>): Promise<Output> {
    return (await this.#connect()).transaction(work)
  }

  #connect(): Promise<SqlClient> {
    return this.#open(shopTables)
  }
}
