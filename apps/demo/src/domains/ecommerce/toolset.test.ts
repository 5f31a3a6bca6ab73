import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, type Tool } from '@x/tool-core'
import { afterAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from '../../../test/sql/databases.ts'
import { createDatabase } from '../../sql/database.ts'
import { CATALOG } from './catalog.ts'
import { EcommerceToolset } from './toolset.ts'

/** Options for the runs of two users. */
const demo = { values: { user_id: 'demo' } }
const bob = { values: { user_id: 'bob' } }

/** Calls a tool as a model would. */
async function call(shop: EcommerceToolset, name: string, args: Record<string, unknown>) {
  const tool = shop.tools().find((candidate) => candidate.name === name) as Tool
  const result = await callTool(tool, { id: '1', name, args }, demo)
  return result.ok ? result.output : result.error.message
}

onEveryDatabase((open) => {
  const openShop = () => new EcommerceToolset(open().connect)

  it('orders the contents of the cart, reduces the stock, and restores it after a return', async () => {
    const shop = openShop()
    const stock = async () => (await shop.getProductDetails({ product_id: 'LAP-101' })).stock
    await shop.addToCart({ product_id: 'LAP-101', quantity: 2 }, demo)
    await shop.addToCart({ product_id: 'aud-302', quantity: 1 }, demo)
    expect(await shop.viewCart({}, demo)).toMatchObject({ total: 1887.99, items: [{ product_id: 'AUD-302' }, { quantity: 2 }] })
    expect(await shop.checkout({ shipping_address: '' }, demo)).toMatchObject({ order_id: 'ORD-1001', total: 1887.99 })
    expect(await shop.viewCart({}, demo)).toEqual({ items: [], total: 0 })
    expect(await stock()).toBe(10)
    expect(await shop.trackOrder({ order_id: 'ORD-1001' }, demo)).toMatchObject({ status: 'processing' })
    expect(await shop.returnOrder({ order_id: '#1001', reason: 'too loud' }, demo)).toMatchObject({ refund: 1887.99 })
    expect(await stock()).toBe(12)
    await shop.addToCart({ product_id: 'LAP-102', quantity: 1 }, demo)
    await shop.checkout({ shipping_address: '1 Main Street' }, demo)
    expect((await shop.listOrders({}, demo)).map(({ order_id, status }) => `${order_id} ${status}`)).toEqual([
      'ORD-1002 processing',
      'ORD-1001 returned',
    ])
  })

  it('keeps users apart: their carts, their orders, but not the stock (T3-25)', async () => {
    const shop = openShop()
    await shop.addToCart({ product_id: 'MON-403', quantity: 3 }, demo)
    expect(await shop.viewCart({}, bob)).toEqual({ items: [], total: 0 })
    await expect(shop.checkout({ shipping_address: '' }, bob)).rejects.toThrow('The cart is empty')
    await shop.checkout({ shipping_address: '' }, demo)
    expect(await shop.listOrders({}, bob)).toEqual([])
    for (const attempt of [shop.trackOrder, shop.returnOrder])
      await expect(attempt({ order_id: 'ORD-1001', reason: '' }, bob)).rejects.toThrow('There is no order "ORD-1001"')
    await expect(shop.addToCart({ product_id: 'MON-403', quantity: 2 }, bob)).rejects.toThrow('only 1 in stock')
    expect(await shop.listOrders({}, demo)).toMatchObject([{ status: 'processing' }])
  })

  it('sells no piece twice when many check out at the same time', async () => {
    const shop = openShop()
    const users = Array.from({ length: 6 }, (_, index) => ({ values: { user_id: `user-${index}` } }))
    await Promise.all(users.map((user) => shop.addToCart({ product_id: 'MON-403', quantity: 1 }, user)))
    const settled = await Promise.allSettled(users.map((user) => shop.checkout({ shipping_address: '' }, user)))
    const orders = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.order_id] : []))
    expect(orders.sort()).toEqual(['ORD-1001', 'ORD-1002', 'ORD-1003', 'ORD-1004'])
    expect((await shop.getProductDetails({ product_id: 'MON-403' })).stock).toBe(0)
  })

  it('refuses a second return, and leaves the stock as it was (T3-25)', async () => {
    const shop = openShop()
    await shop.addToCart({ product_id: 'MON-403', quantity: 4 }, demo)
    await shop.checkout({ shipping_address: '' }, demo)
    await shop.returnOrder({ order_id: 'ORD-1001', reason: '' }, demo)
    const again = shop.returnOrder({ order_id: 'ORD-1001', reason: '' }, demo)
    await expect(again).rejects.toThrow('ORD-1001 was already returned')
    expect((await shop.getProductDetails({ product_id: 'MON-403' })).stock).toBe(4)
  })

  it('refuses more than the stock in several additions, or by one call among parallel ones (T3-25)', async () => {
    const shop = openShop()
    const add = () => shop.addToCart({ product_id: 'MON-403', quantity: 2 }, demo)
    const settled = await Promise.allSettled([add(), add(), add()])
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect((await shop.viewCart({}, demo)).items).toMatchObject([{ quantity: 4 }])
  })

  it('finds products by words, category, price and rating', async () => {
    const shop = openShop()
    const ids = async (filter: Parameters<EcommerceToolset['searchProducts']>[0]) =>
      (await shop.searchProducts(filter)).map(({ product_id }) => product_id)
    expect(await ids({})).toHaveLength(CATALOG.length)
    expect(await ids({ category: 'laptops', max_price: 899 })).toEqual(['LAP-101', 'LAP-104', 'LAP-102'])
    expect(await ids({ query: 'Wireless headphones' })).toEqual(['AUD-301', 'AUD-302'])
    expect(await ids({ query: 'headphones', min_price: 89.99, min_rating: 4.7 })).toEqual(['AUD-303', 'AUD-301'])
    expect(await ids({ query: "100%_' OR 1=1 --" })).toEqual([])
    expect(await ids({ max_price: 39.5 })).toEqual(['AUD-304'])
  })

  it('sets a quantity in the cart, and takes the product out at 0 (T3-25)', async () => {
    const shop = openShop()
    await shop.addToCart({ product_id: 'KEY-501', quantity: 5 }, demo)
    expect(await shop.updateCartItem({ product_id: 'KEY-501', quantity: 2 }, demo)).toMatchObject({ quantity: 2 })
    expect(await shop.updateCartItem({ product_id: 'KEY-501', quantity: 0 }, demo)).toMatchObject({ quantity: 0 })
    expect((await shop.viewCart({}, demo)).items).toEqual([])
  })
})

describe('the shop refuses', () => {
  const database = createDatabase({ kind: 'sqlite', file: ':memory:' })
  const shop = new EcommerceToolset(database.connect)
  afterAll(() => database.close())

  it.each([
    ['an empty cart (T3-25)', 'checkout', {}, 'The cart is empty'],
    ['a quantity of 0 (T3-25)', 'add_to_cart', { product_id: 'LAP-101', quantity: 0 }, '/quantity must be >= 1'],
    ['a negative quantity (T3-25)', 'update_cart_item', { product_id: 'LAP-101', quantity: -1 }, '/quantity must be >= 0'],
    ['half a piece', 'add_to_cart', { product_id: 'LAP-101', quantity: 1.5 }, '/quantity must be integer'],
    ['more than the stock (T3-25)', 'add_to_cart', { product_id: 'LAP-101', quantity: 13 }, 'only 12 in stock'],
    ['what is out of stock (T3-25)', 'add_to_cart', { product_id: 'LAP-105' }, 'out of stock'],
    ['an unknown product', 'add_to_cart', { product_id: 'LAP-999' }, 'There is no product "LAP-999"'],
    ['to change what is not in the cart', 'update_cart_item', { product_id: 'LAP-101', quantity: 1 }, 'not in the cart'],
    ['to remove what is not in the cart', 'remove_from_cart', { product_id: 'LAP-101' }, 'not in the cart'],
    ['an unknown order', 'track_order', { order_id: 'ORD-1' }, 'There is no order "ORD-1"'],
    ['to return an unknown order', 'return_order', { order_id: 'x; DROP TABLE orders' }, 'There is no order'],
    ['an unknown category', 'search_products', { category: 'boats' }, '/category'],
  ])('%s', async (_, name, args, message) => {
    expect(await call(shop, name, args)).toContain(message)
  })
})

describe('the database of the shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is a persistent file, and opened by the first call', async () => {
    const place = { kind: 'sqlite' as const, file: join(folder, 'kept.sqlite') }
    const first = createDatabase(place)
    const shop = new EcommerceToolset(first.connect)
    shop.tools()
    expect(first.isOpen()).toBe(false)
    await shop.addToCart({ product_id: 'CAM-601', quantity: 1 }, demo)
    expect(first.isOpen()).toBe(true)
    await first.close()
    const second = createDatabase(place)
    expect(await new EcommerceToolset(second.connect).viewCart({}, demo)).toMatchObject({ total: 999 })
    await second.close()
  })
})
