/** The orders of one user: from the cart to the return. */
import type { SqlExecutor } from '../../sql/sql-client.ts'
import { CURRENCY } from './products.ts'

export interface OrderSummary {
  readonly order_id: string
  readonly status: string
  readonly total: number
  readonly currency: string
  readonly ordered_at: string
}

/** Orders everything in the cart, reduces the stock and empties the cart. Rejects if the cart is empty or the stock is too small. */
export async function checkOut(executor: SqlExecutor, userId: string, shippingAddress: string, now: Date) {
  const lines = await executor.query<CartLine>(
    `SELECT product_id, name, quantity, price_cents FROM cart_items JOIN products USING (product_id)
     WHERE user_id = $1 ORDER BY product_id`,
    [userId],
  )
  if (lines.length === 0) throw new Error('The cart is empty. Add a product to the cart first.')
  for (const line of lines) await takeFromStock(executor, line)
  const total = lines.reduce((sum, { quantity, price_cents }) => sum + quantity * price_cents, 0)
  const number = await nextNumber(executor)
  const orderedAt = now.toISOString()
  await executor.query('INSERT INTO orders VALUES ($1, $2, $3, $4, $5, $6, NULL)', [
    number,
    userId,
    'processing',
    shippingAddress,
    total,
    orderedAt,
  ])
  for (const { product_id, quantity, price_cents } of lines)
    await executor.query('INSERT INTO order_items VALUES ($1, $2, $3, $4)', [number, product_id, quantity, price_cents])
  await executor.query('DELETE FROM cart_items WHERE user_id = $1', [userId])
  const item_count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return { order_id: toOrderId(number), status: 'processing', item_count, total: total / 100, currency: CURRENCY }
}

/** Returns all orders, latest first. */
export async function listOrders(executor: SqlExecutor, userId: string): Promise<readonly OrderSummary[]> {
  const rows = await executor.query<OrderRow>('SELECT * FROM orders WHERE user_id = $1 ORDER BY order_number DESC', [userId])
  return rows.map(toSummary)
}

/** Returns the status and contents of an order. Rejects if the user has no such order. */
export async function trackOrder(executor: SqlExecutor, userId: string, orderId: string) {
  const row = await findOrder(executor, userId, orderId)
  const lines = await executor.query<CartLine>(
    `SELECT product_id, name, quantity, order_items.price_cents FROM order_items JOIN products USING (product_id)
     WHERE order_number = $1 ORDER BY product_id`,
    [row.order_number],
  )
  const shippedTo = row.shipping_address === '' ? 'on file' : row.shipping_address
  return {
    ...toSummary(row),
    items: lines.map(describe),
    shipping_address: shippedTo,
    ...(row.status === 'returned' ? {} : { estimated_delivery: dayAfter(row.ordered_at, DELIVERY_DAYS) }),
  }
}

/** Returns an order: restores the stock and refunds the total. Rejects if the user has no such order or has already returned it. */
export async function returnOrder(executor: SqlExecutor, userId: string, orderId: string, reason: string) {
  const row = await findOrder(executor, userId, orderId)
  const order_id = toOrderId(row.order_number)
  if (row.status === 'returned') throw new Error(`Order ${order_id} was already returned.`)
  await executor.query("UPDATE orders SET status = 'returned', return_reason = $1 WHERE order_number = $2", [
    reason,
    row.order_number,
  ])
  await executor.query(
    `UPDATE products SET stock = stock + (SELECT quantity FROM order_items
       WHERE order_number = $1 AND order_items.product_id = products.product_id)
     WHERE product_id IN (SELECT product_id FROM order_items WHERE order_number = $1)`,
    [row.order_number],
  )
  return {
    order_id,
    status: 'returned',
    refund: row.total_cents / 100,
    currency: CURRENCY,
    reason: reason === '' ? 'not given' : reason,
  }
}

const FIRST_NUMBER = 1001
const DELIVERY_DAYS = 3

interface CartLine {
  readonly product_id: string
  readonly name: string
  readonly quantity: number
  readonly price_cents: number
}

interface OrderRow {
  readonly order_number: number
  readonly status: string
  readonly shipping_address: string
  readonly total_cents: number
  readonly ordered_at: string
}

async function takeFromStock(executor: SqlExecutor, { product_id, name, quantity }: CartLine): Promise<void> {
  const taken = await executor.query(
    'UPDATE products SET stock = stock - $1 WHERE product_id = $2 AND stock >= $1 RETURNING stock',
    [quantity, product_id],
  )
  if (taken.length === 0)
    throw new Error(`There isn't enough stock of "${name}" (${product_id}) to order ${quantity}. Nothing was ordered.`)
}

async function nextNumber(executor: SqlExecutor): Promise<number> {
  const [last] = await executor.query<{ number: number }>('SELECT coalesce(max(order_number), $1) + 1 AS number FROM orders', [
    FIRST_NUMBER - 1,
  ])
  return Number(last?.number)
}

/** Finds an order. Accepts an id as a person may write it: `ORD-1001`, `ord-1001`, `#1001` or `1001`. */
async function findOrder(executor: SqlExecutor, userId: string, orderId: string): Promise<OrderRow> {
  const number = /^(?:ord-|#)?(\d{1,9})$/i.exec(orderId.trim())?.[1]
  const [row] = await executor.query<OrderRow>('SELECT * FROM orders WHERE order_number = $1 AND user_id = $2', [
    Number(number ?? -1),
    userId,
  ])
  if (row === undefined)
    throw new Error(`There is no order "${orderId}". List the orders to find the id, which looks like ORD-${FIRST_NUMBER}.`)
  return row
}

function toSummary({ order_number, status, total_cents, ordered_at }: OrderRow): OrderSummary {
  return { order_id: toOrderId(order_number), status, total: total_cents / 100, currency: CURRENCY, ordered_at }
}

function toOrderId(number: number): string {
  return `ORD-${number}`
}

function describe({ quantity, name, product_id }: CartLine): string {
  return `${quantity} x ${name} (${product_id})`
}

function dayAfter(timestamp: string, days: number): string {
  return new Date(Date.parse(timestamp) + days * 86_400_000).toISOString().slice(0, 10)
}
