/** The cart of one user. */
import type { SqlExecutor } from '../../sql/sql-client.ts'
import { findProduct } from './products.ts'

export interface CartItem {
  readonly product_id: string
  readonly name: string
  readonly quantity: number
  readonly price: number
}

export interface Cart {
  readonly items: readonly CartItem[]
  /** Total in dollars. */
  readonly total: number
}

/** Adds a product to the cart. Rejects if the product is unknown, the quantity is below 1, or the stock is too small. */
export async function addToCart(executor: SqlExecutor, userId: string, productId: string, quantity: number) {
  if (!Number.isInteger(quantity) || quantity < 1) throw new Error(`The quantity must be a whole number of at least 1.`)
  const inCart = (await findItem(executor, userId, productId)) ?? 0
  return putInCart(executor, userId, productId, inCart + quantity)
}

/** Sets the quantity of a product in the cart; 0 removes it. Rejects if the product isn't in the cart or the stock is too small. */
export async function updateCart(executor: SqlExecutor, userId: string, productId: string, quantity: number) {
  if (!Number.isInteger(quantity) || quantity < 0) throw new Error(`The quantity must be a whole number of at least 0.`)
  if (quantity === 0) return removeFromCart(executor, userId, productId)
  await requireItem(executor, userId, productId)
  return putInCart(executor, userId, productId, quantity)
}

/** Removes a product from the cart. Rejects if the product isn't in the cart. */
export async function removeFromCart(executor: SqlExecutor, userId: string, productId: string) {
  const product = await requireItem(executor, userId, productId)
  await executor.query('DELETE FROM cart_items WHERE user_id = $1 AND product_id = $2', [userId, product.product_id])
  return { product_id: product.product_id, name: product.name, quantity: 0 }
}

/** Returns the contents of the cart and the total. */
export async function viewCart(executor: SqlExecutor, userId: string): Promise<Cart> {
  const rows = await executor.query<{ product_id: string; name: string; quantity: number; price_cents: number }>(
    `SELECT product_id, name, quantity, price_cents FROM cart_items JOIN products USING (product_id)
     WHERE user_id = $1 ORDER BY product_id`,
    [userId],
  )
  const items = rows.map(({ price_cents, ...item }) => ({ ...item, price: price_cents / 100 }))
  return { items, total: rows.reduce((sum, { quantity, price_cents }) => sum + quantity * price_cents, 0) / 100 }
}

async function putInCart(executor: SqlExecutor, userId: string, productId: string, quantity: number) {
  const { product_id, name, stock, price } = await findProduct(executor, productId)
  if (quantity > stock) {
    const left = stock === 0 ? 'is out of stock' : `has only ${stock} in stock`
    throw new Error(`"${name}" (${product_id}) ${left}, so the cart can't contain ${quantity}.`)
  }
  await executor.query(
    `INSERT INTO cart_items (user_id, product_id, quantity) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = excluded.quantity`,
    [userId, product_id, quantity],
  )
  return { product_id, name, quantity, price }
}

async function requireItem(executor: SqlExecutor, userId: string, productId: string) {
  const product = await findProduct(executor, productId)
  const quantity = await findItem(executor, userId, product.product_id)
  if (quantity === undefined) throw new Error(`"${product.name}" (${product.product_id}) is not in the cart.`)
  return product
}

async function findItem(executor: SqlExecutor, userId: string, productId: string): Promise<number | undefined> {
  const [item] = await executor.query<{ quantity: number }>(
    'SELECT quantity FROM cart_items WHERE user_id = $1 AND product_id = $2',
    [userId, productId.trim().toUpperCase()],
  )
  return item?.quantity
}
