/** The shop's tables, made and filled when a database is new. Amounts are kept in cents, so that sums are exact. */
import type { SqlClient } from '../../sql/sql-client.ts'
import { CATALOG } from './catalog.ts'

const TABLES = [
  `CREATE TABLE IF NOT EXISTS products (
    product_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    rating DOUBLE PRECISION NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0)
  )`,
  `CREATE TABLE IF NOT EXISTS cart_items (
    user_id TEXT NOT NULL,
    product_id TEXT NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (user_id, product_id)
  )`,
  `CREATE TABLE IF NOT EXISTS orders (
    order_number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    shipping_address TEXT NOT NULL,
    total_cents INTEGER NOT NULL,
    ordered_at TEXT NOT NULL,
    return_reason TEXT
  )`,
  `CREATE TABLE IF NOT EXISTS order_items (
    order_number INTEGER NOT NULL REFERENCES orders (order_number),
    product_id TEXT NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    PRIMARY KEY (order_number, product_id)
  )`,
]

/** Makes what is missing; an existing shop keeps its products, carts and orders. */
export async function prepareShop(client: SqlClient): Promise<void> {
  await client.transaction(async (executor) => {
    for (const table of TABLES) await executor.query(table)
    const [counted] = await executor.query<{ products: number }>('SELECT count(*) AS products FROM products')
    if (Number(counted?.products) > 0) return
    for (const { product_id, name, category, description, price, rating, stock } of CATALOG) {
      await executor.query('INSERT INTO products VALUES ($1, $2, $3, $4, $5, $6, $7)', [
        product_id,
        name,
        category,
        description,
        Math.round(price * 100),
        rating,
        stock,
      ])
    }
  })
}
