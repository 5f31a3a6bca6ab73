/** Finds products. */
import type { SqlExecutor, SqlValue } from '../../sql/sql-client.ts'
import { searchWords } from '../search-words.ts'
import type { Category } from './catalog.ts'

export interface ProductFilter {
  readonly query?: string | undefined
  readonly category?: Category | undefined
  readonly min_price?: number | undefined
  readonly max_price?: number | undefined
  readonly min_rating?: number | undefined
}

/** A search result. */
export interface Product {
  readonly product_id: string
  readonly name: string
  readonly category: string
  readonly price: number
  readonly currency: string
  readonly rating: number
  readonly stock: number
}

/** Currency of all prices. */
export const CURRENCY = 'USD'
const COLUMNS = `product_id, name, category, price_cents / 100.0 AS price, '${CURRENCY}' AS currency, rating, stock`
const MAX_FOUND = 20

/** Returns the products that meet every condition, best rated first. */
export async function searchProducts(executor: SqlExecutor, filter: ProductFilter): Promise<readonly Product[]> {
  const params: SqlValue[] = []
  const conditions: string[] = []
  const where = (condition: (param: string) => string, value: SqlValue | undefined) => {
    if (value !== undefined) conditions.push(condition(`$${params.push(value)}`))
  }
  for (const word of searchWords(filter.query ?? ''))
    where((param) => `lower(name || ' ' || category || ' ' || description) LIKE ${param} ESCAPE '!'`, containing(word))
  where((param) => `category = ${param}`, filter.category)
  where((param) => `price_cents >= ${param}`, toCents(filter.min_price, Math.ceil))
  where((param) => `price_cents <= ${param}`, toCents(filter.max_price, Math.floor))
  where((param) => `rating >= ${param}`, filter.min_rating)
  const filtered = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return executor.query(`SELECT ${COLUMNS} FROM products ${filtered} ORDER BY rating DESC, product_id LIMIT ${MAX_FOUND}`, params)
}

/** Returns one product with its description. Rejects for an unknown id. */
export async function findProduct(executor: SqlExecutor, productId: string): Promise<Product & { readonly description: string }> {
  const [product] = await executor.query<Product & { description: string }>(
    `SELECT ${COLUMNS}, description FROM products WHERE product_id = $1`,
    [productId.trim().toUpperCase()],
  )
  if (product === undefined)
    throw new Error(`There is no product "${productId}". Search for products to find the id, which looks like LAP-101.`)
  return product
}

function containing(word: string): string {
  return `%${word.replace(/[!%_]/g, '!$&')}%`
}

function toCents(dollars: number | undefined, round: (cents: number) => number): number | undefined {
  // 89.99 * 100 is 8998.999999999998, so this rounds to a hundredth of a cent first, then to whole cents.
  return dollars === undefined ? undefined : round(Math.round(dollars * 10_000) / 100)
}
