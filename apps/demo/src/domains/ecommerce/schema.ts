/** The shop's tables and initial products. Amounts are stored in cents, so that sums are exact. */
import type { TableSet } from '../../sql/table-sets.ts'
import { CATALOG } from './catalog.ts'

const TABLES = [
  `CREATE TABLE products (
    product_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    rating DOUBLE PRECISION NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0)
  )`,
  `CREATE TABLE cart_items (
    user_id TEXT NOT NULL,
    product_id TEXT NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (user_id, product_id)
  )`,
  `CREATE TABLE orders (
    order_number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    shipping_address TEXT NOT NULL,
    total_cents INTEGER NOT NULL,
    ordered_at TEXT NOT NULL,
    return_reason TEXT
  )`,
  `CREATE TABLE order_items (
    order_number INTEGER NOT NULL REFERENCES orders (order_number),
    product_id TEXT NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    PRIMARY KEY (order_number, product_id)
  )`,
]

export const shopTables: TableSet = {
  name: 'shop',
  version: 1,
  statements: TABLES,
  async fill(executor) {
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
  },
}
