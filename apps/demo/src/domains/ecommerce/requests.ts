/** Requests that show the shop, each with the calls that serve it. They follow each other on one database. */
import type { DemoRequest } from '../domain.ts'

export const requests: readonly DemoRequest[] = [
  {
    request: 'Find headphones with a rating of at least 4.5',
    expected: [{ tool: 'search_products', args: { category: 'headphones', min_rating: 4.5 } }],
    answer: 'QuietSphere',
  },
  {
    request: 'Find laptops under 1000 dollars and add the cheapest one to my cart',
    expected: [
      { tool: 'search_products', args: { category: 'laptops', max_price: 1000 } },
      { tool: 'add_to_cart', args: { product_id: 'LAP-102' } },
    ],
  },
  {
    request: 'Add 2 of product KEY-502 to my cart and then show my cart',
    expected: [{ tool: 'add_to_cart', args: { product_id: 'KEY-502', quantity: 2 } }, { tool: 'view_cart' }],
    answer: '647',
  },
  {
    request: 'Check out with the shipping address "12 Harbour Street, Oslo", then track the order',
    expected: [
      { tool: 'checkout', args: { shipping_address: '12 Harbour Street, Oslo' } },
      { tool: 'track_order', args: { order_id: 'ORD-1001' } },
    ],
    answer: 'processing',
  },
  {
    request: 'List my orders and return the latest one',
    expected: [{ tool: 'list_orders' }, { tool: 'return_order', args: { order_id: 'ORD-1001' } }],
  },
  {
    request: 'Get the details of product CAM-999',
    expected: [{ tool: 'get_product_details', args: { product_id: 'CAM-999' }, fails: true }],
    answer: 'CAM-999',
  },
]
