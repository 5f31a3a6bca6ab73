import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, type Tool } from '@x/tool-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../sql/sqlite-client.ts'
import { CATALOG } from './catalog.ts'
import { EcommerceToolset } from './toolset.ts'

const folder = mkdtempSync(join(tmpdir(), 'shop-'))
/** For the tests that leave it as it was. */
const sharedShop = new EcommerceToolset({ database: ':memory:' })
let files = 0
const opened: EcommerceToolset[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((shop) => shop.close()))
})
afterAll(async () => {
  await sharedShop.close()
  rmSync(folder, { recursive: true, force: true })
})

function openShop(database: string): EcommerceToolset {
  const shop = new EcommerceToolset({ database })
  opened.push(shop)
  return shop
}

/** A call as it comes from a model. */
async function call(shop: EcommerceToolset, name: string, args: Record<string, unknown>) {
  const tool = shop.tools().find((candidate) => candidate.name === name) as Tool
  const result = await callTool(tool, { id: '1', name, args })
  return result.ok ? result.output : result.error.message
}

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', () => join(folder, `${++files}`, 'shop.sqlite')],
])('the shop %s', (_, database) => {
  it('orders what is in the cart, takes it from the stock, and puts it back when it is returned', async () => {
    const shop = openShop(database())
    const stock = async () => (await shop.getProductDetails({ product_id: 'LAP-101' })).stock
    await shop.addToCart({ product_id: 'LAP-101', quantity: 2 })
    await shop.addToCart({ product_id: 'aud-302', quantity: 1 })
    expect(await shop.viewCart({})).toMatchObject({ total: 1887.99, items: [{ product_id: 'AUD-302' }, { quantity: 2 }] })
    expect(await shop.checkout({ shipping_address: '' })).toMatchObject({ order_id: 'ORD-1001', total: 1887.99 })
    expect(await shop.viewCart({})).toEqual({ items: [], total: 0 })
    expect(await stock()).toBe(10)
    expect(await shop.trackOrder({ order_id: 'ORD-1001' })).toMatchObject({ status: 'processing' })
    expect(await shop.returnOrder({ order_id: '#1001', reason: 'too loud' })).toMatchObject({ refund: 1887.99 })
    expect(await stock()).toBe(12)
    await shop.addToCart({ product_id: 'LAP-102', quantity: 1 })
    await shop.checkout({ shipping_address: '1 Main Street' })
    expect((await shop.listOrders({})).map(({ order_id, status }) => `${order_id} ${status}`)).toEqual([
      'ORD-1002 processing',
      'ORD-1001 returned',
    ])
  })
})

describe('the shop refuses', () => {
  it.each([
    ['an empty cart', 'checkout', {}, 'The cart is empty'],
    ['a quantity of 0', 'add_to_cart', { product_id: 'LAP-101', quantity: 0 }, '/quantity must be >= 1'],
    ['a negative quantity', 'update_cart_item', { product_id: 'LAP-101', quantity: -1 }, '/quantity must be >= 0'],
    ['half a piece', 'add_to_cart', { product_id: 'LAP-101', quantity: 1.5 }, '/quantity must be integer'],
    ['more than the stock', 'add_to_cart', { product_id: 'LAP-101', quantity: 13 }, 'only 12 in stock'],
    ['what is out of stock', 'add_to_cart', { product_id: 'LAP-105' }, 'out of stock'],
    ['an unknown product', 'add_to_cart', { product_id: 'LAP-999' }, 'There is no product "LAP-999"'],
    ['to change what is not in the cart', 'update_cart_item', { product_id: 'LAP-101', quantity: 1 }, 'not in the cart'],
    ['to remove what is not in the cart', 'remove_from_cart', { product_id: 'LAP-101' }, 'not in the cart'],
    ['an unknown order', 'track_order', { order_id: 'ORD-1' }, 'There is no order "ORD-1"'],
    ['to return an unknown order', 'return_order', { order_id: 'x; DROP TABLE orders' }, 'There is no order'],
    ['an unknown category', 'search_products', { category: 'boats' }, '/category'],
  ])('%s', async (_, name, args, message) => {
    expect(await call(sharedShop, name, args)).toContain(message)
  })

  it('a second return, and leaves the stock as it was', async () => {
    const shop = openShop(':memory:')
    await shop.addToCart({ product_id: 'MON-403', quantity: 4 })
    await shop.checkout({ shipping_address: '' })
    await shop.returnOrder({ order_id: 'ORD-1001', reason: '' })
    await expect(shop.returnOrder({ order_id: 'ORD-1001', reason: '' })).rejects.toThrow('ORD-1001 was already returned')
    expect((await shop.getProductDetails({ product_id: 'MON-403' })).stock).toBe(4)
  })

  it('more than the stock in several additions, or by one call among parallel ones', async () => {
    const shop = openShop(':memory:')
    const add = () => shop.addToCart({ product_id: 'MON-403', quantity: 2 })
    const settled = await Promise.allSettled([add(), add(), add()])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect((await shop.viewCart({})).items).toMatchObject([{ quantity: 4 }])
  })
})

describe('the shop', () => {
  it('finds products by words, category, price and rating', async () => {
    const ids = async (filter: Parameters<EcommerceToolset['searchProducts']>[0]) =>
      (await sharedShop.searchProducts(filter)).map(({ product_id }) => product_id)
    expect(await ids({})).toHaveLength(CATALOG.length)
    expect(await ids({ category: 'laptops', max_price: 899 })).toEqual(['LAP-101', 'LAP-104', 'LAP-102'])
    expect(await ids({ query: 'Wireless headphones' })).toEqual(['AUD-301', 'AUD-302'])
    expect(await ids({ query: 'headphones', min_price: 89.99, min_rating: 4.7 })).toEqual(['AUD-303', 'AUD-301'])
    expect(await ids({ query: "100%_' OR 1=1 --" })).toEqual([])
    expect(await ids({ max_price: 39.5 })).toEqual(['AUD-304'])
  })

  it('sets a quantity in the cart, and takes the product out at 0', async () => {
    await sharedShop.addToCart({ product_id: 'KEY-501', quantity: 5 })
    expect(await sharedShop.updateCartItem({ product_id: 'KEY-501', quantity: 2 })).toMatchObject({ quantity: 2 })
    expect(await sharedShop.updateCartItem({ product_id: 'KEY-501', quantity: 0 })).toMatchObject({ quantity: 0 })
    expect((await sharedShop.viewCart({})).items).toEqual([])
  })

  it('keeps a file from one toolset to the next, and opens none before the first call', async () => {
    const file = join(folder, 'kept.sqlite')
    const places: string[] = []
    const first = new EcommerceToolset({ database: file, onDatabaseOpen: (place) => places.push(place) })
    opened.push(first)
    first.tools()
    expect(places).toEqual([])
    await first.addToCart({ product_id: 'CAM-601', quantity: 1 })
    expect(places).toEqual([file])
    await first.close()
    expect(await openShop(file).viewCart({})).toMatchObject({ total: 999 })
  })
})

describe('a file that is no shop', () => {
  it('is refused and left as it was when it belongs to another program', async () => {
    const file = join(folder, 'foreign.sqlite')
    const foreign = await openSqlite({ file })
    await foreign.query('CREATE TABLE products (id INTEGER, label TEXT)')
    await foreign.close()
    const bytes = readFileSync(file)
    await expect(openShop(file).open()).rejects.toMatchObject({
      name: 'SqlError',
      message: `Cannot open the database ${file}: it belongs to another program; name another file with --db.`,
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('is refused when it is a shop of another version', async () => {
    const file = join(folder, 'later.sqlite')
    const shop = openShop(file)
    await shop.open()
    await shop.close()
    const later = await openSqlite({ file })
    await later.query('PRAGMA user_version = 2')
    await later.close()
    await expect(openShop(file).open()).rejects.toThrow('it is a shop of version 2, and this demo reads version 1')
  })

  it('is refused when it was cut short', async () => {
    const file = join(folder, 'short.sqlite')
    const shop = openShop(file)
    await shop.open()
    await shop.close()
    truncateSync(file, 20_000)
    await expect(openShop(file).open()).rejects.toThrow('the file is damaged or cut short')
  })
})
