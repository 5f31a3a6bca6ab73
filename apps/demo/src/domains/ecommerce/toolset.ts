/** The shop as a toolset: every tool works on one SQL database, opened by `open` or at the first call. */
import { method, Toolset } from '@x/toolset'
import * as Type from 'typebox'
import { cannotOpen } from '../../sql/cannot-open.ts'
import type { SqlClient, SqlExecutor } from '../../sql/sql-client.ts'
import { openSqlite } from '../../sql/sqlite-client.ts'
import type { DomainSettings } from '../domain.ts'
import { addToCart, removeFromCart, updateCart, viewCart } from './cart.ts'
import { CATEGORIES } from './catalog.ts'
import { checkOut, listOrders, returnOrder, trackOrder } from './orders.ts'
import { findProduct, searchProducts } from './products.ts'
import { prepareShop } from './schema.ts'

/** Whose cart and orders they are, until a run brings its own user. */
const USER = 'demo'

const productId = Type.String({ minLength: 1, description: 'Id of the product, as a product search returns it, e.g. "LAP-101"' })
const orderId = Type.String({ minLength: 1, description: 'Id of the order, e.g. "ORD-1001"' })

export class EcommerceToolset extends Toolset {
  readonly name = 'ecommerce'
  readonly #settings: DomainSettings
  #client: Promise<SqlClient> | undefined

  constructor(settings: DomainSettings) {
    super()
    this.#settings = settings
  }

  readonly searchProducts = method({
    name: 'search_products',
    description: 'Search the products of the shop by words, category, price and rating',
    effect: 'read',
    args: Type.Object({
      query: Type.Optional(Type.String({ description: 'Words that the product name or description contains' })),
      category: Type.Optional(Type.Enum([...CATEGORIES], { description: 'Product category' })),
      max_price: Type.Optional(Type.Number({ minimum: 0, description: 'Highest price in dollars' })),
      min_price: Type.Optional(Type.Number({ minimum: 0, description: 'Lowest price in dollars' })),
      min_rating: Type.Optional(
        Type.Number({ minimum: 0, maximum: 5, description: 'Lowest customer rating, in stars from 0 to 5' }),
      ),
    }),
    execute: async (filter) => searchProducts(await this.#connect(), filter),
  })

  readonly getProductDetails = method({
    name: 'get_product_details',
    description: 'Get the details of one product: description, price, rating and stock',
    effect: 'read',
    args: Type.Object({ product_id: productId }),
    execute: async ({ product_id }) => findProduct(await this.#connect(), product_id),
  })

  readonly addToCart = method({
    name: 'add_to_cart',
    description: 'Add a product to the shopping cart',
    effect: 'write',
    args: Type.Object({
      product_id: productId,
      quantity: Type.Integer({ minimum: 1, default: 1, description: 'How many to add' }),
    }),
    execute: ({ product_id, quantity }) => this.#write((executor) => addToCart(executor, USER, product_id, quantity)),
  })

  readonly updateCartItem = method({
    name: 'update_cart_item',
    description: 'Change the quantity of a product that is already in the shopping cart; 0 removes it',
    effect: 'idempotent',
    args: Type.Object({
      product_id: productId,
      quantity: Type.Integer({ minimum: 0, description: 'The new quantity' }),
    }),
    execute: ({ product_id, quantity }) => this.#write((executor) => updateCart(executor, USER, product_id, quantity)),
  })

  readonly removeFromCart = method({
    name: 'remove_from_cart',
    description: 'Remove a product from the shopping cart',
    effect: 'idempotent',
    args: Type.Object({ product_id: productId }),
    execute: ({ product_id }) => this.#write((executor) => removeFromCart(executor, USER, product_id)),
  })

  readonly viewCart = method({
    name: 'view_cart',
    description: 'View the shopping cart: what is in it and the total price',
    effect: 'read',
    args: Type.Object({}),
    execute: async () => viewCart(await this.#connect(), USER),
  })

  readonly checkout = method({
    name: 'checkout',
    description: 'Check out: order everything that is in the shopping cart',
    effect: 'write',
    args: Type.Object({
      shipping_address: Type.String({ default: '', description: 'Address to ship to; left out, the address on file is used' }),
    }),
    execute: ({ shipping_address }) => this.#write((executor) => checkOut(executor, USER, shipping_address, new Date())),
  })

  readonly listOrders = method({
    name: 'list_orders',
    description: 'List all orders of the user with their status and total, latest first',
    effect: 'read',
    args: Type.Object({}),
    execute: async () => listOrders(await this.#connect(), USER),
  })

  readonly trackOrder = method({
    name: 'track_order',
    description: 'Track an order: its status, contents and estimated delivery date',
    effect: 'read',
    args: Type.Object({ order_id: orderId }),
    execute: async ({ order_id }) => trackOrder(await this.#connect(), USER, order_id),
  })

  readonly returnOrder = method({
    name: 'return_order',
    description: 'Return an order and refund its total',
    effect: 'write',
    args: Type.Object({
      order_id: orderId,
      reason: Type.String({ default: '', description: 'Why the order is returned' }),
    }),
    execute: ({ order_id, reason }) => this.#write((executor) => returnOrder(executor, USER, order_id, reason)),
  })

  /** Opens the database ahead of the first call. Rejects with `SqlError` when it cannot be used. */
  async open(): Promise<void> {
    await this.#connect()
  }

  /** Closes the database, if it was opened. */
  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await (await client?.catch(() => undefined))?.close()
  }

  async #write<Output>(work: (executor: SqlExecutor) => Promise<Output>): Promise<Output> {
    return (await this.#connect()).transaction(work)
  }

  /** Opened once, also for calls at the same time; a failure is not remembered. */
  #connect(): Promise<SqlClient> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #open(): Promise<SqlClient> {
    const { database } = this.#settings
    const client = await openSqlite({ file: database })
    try {
      await prepareShop(client)
    } catch (error) {
      await client.close()
      throw cannotOpen(database, error)
    }
    this.#settings.onDatabaseOpen?.(database)
    return client
  }
}
