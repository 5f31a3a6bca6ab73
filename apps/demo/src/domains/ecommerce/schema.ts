/** The shop's tables, made and filled when a database is new, and never in a file of another program. Amounts are kept in cents, so that sums are exact. */
import type { SqlClient, SqlExecutor } from '../../sql/sql-client.ts'
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

/** Marks a file as ours: "SHOP" in ASCII, and the version of the tables. */
const APPLICATION = 0x53484f50
const VERSION = 1

/**
 * Fills an empty database; an existing shop keeps its products, carts and orders. Rejects, and changes nothing, when the
 * database holds anything else.
 */
export async function prepareShop(client: SqlClient): Promise<void> {
  if (await isShop(client)) return
  await client.transaction(async (executor) => {
    for (const table of TABLES) await executor.query(table)
    await executor.query(`PRAGMA application_id = ${APPLICATION}`)
    await executor.query(`PRAGMA user_version = ${VERSION}`)
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

/** False for an empty database. */
async function isShop(executor: SqlExecutor): Promise<boolean> {
  const pragma = async (name: string) => Object.values((await executor.query(`PRAGMA ${name}`))[0] ?? {})[0]
  if ((await pragma('quick_check(1)')) !== 'ok') throw new Error('the file is damaged or cut short')
  const application = await pragma('application_id')
  const version = await pragma('user_version')
  if (application === APPLICATION && version === VERSION) return true
  if (application === APPLICATION) throw new Error(`it is a shop of version ${version}, and this demo reads version ${VERSION}`)
  const [found] = await executor.query<{ tables: number }>('SELECT count(*) AS tables FROM sqlite_master')
  if (application === 0 && version === 0 && found?.tables === 0) return false
  throw new Error('it belongs to another program; name another file with --db')
}
