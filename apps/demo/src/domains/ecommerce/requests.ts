/** Requests to the shop, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'From search to return',
    requests: [
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
    ],
  },
  {
    title: 'Looking around',
    requests: [
      {
        request: 'Show me phones that cost between 400 and 700 dollars',
        expected: [{ tool: 'search_products', args: { category: 'phones', min_price: 400, max_price: 700 } }],
        answer: 'Orbit One',
      },
      {
        request: 'Which of your cameras has the best rating?',
        expected: [{ tool: 'search_products', args: { category: 'cameras' } }],
        answer: 'Lumen X5',
      },
      { request: 'Do you sell mechanical keyboards?', expected: [{ tool: 'search_products' }], answer: 'ClackMaster' },
      {
        request: 'I am looking for a monitor for no more than 350 dollars with at least 4.5 stars',
        expected: [{ tool: 'search_products', args: { category: 'monitors', max_price: 350, min_rating: 4.5 } }],
        answer: 'ClearView 27',
      },
      {
        request: 'How many pieces of MON-402 are in stock?',
        expected: [{ tool: 'get_product_details', args: { product_id: 'MON-402' } }],
        answer: '13',
      },
      {
        request: 'Get the details of LAP-101 and of LAP-104 and compare the two',
        expected: [
          { tool: 'get_product_details', args: { product_id: 'LAP-101' } },
          { tool: 'get_product_details', args: { product_id: 'LAP-104' } },
        ],
        answer: 'NomadBook 15',
      },
    ],
  },
  {
    title: 'Changes of mind about the cart',
    requests: [
      {
        request: 'Put three of AUD-302 in my cart',
        expected: [{ tool: 'add_to_cart', args: { product_id: 'AUD-302', quantity: 3 } }],
      },
      {
        request: 'Make that five: change the quantity of AUD-302 in my cart to 5',
        expected: [{ tool: 'update_cart_item', args: { product_id: 'AUD-302', quantity: 5 } }],
      },
      {
        request: 'Add one MON-401 and two KEY-501 to my cart',
        expected: [
          { tool: 'add_to_cart', args: { product_id: 'MON-401' } },
          { tool: 'add_to_cart', args: { product_id: 'KEY-501', quantity: 2 } },
        ],
      },
      {
        request: 'Set the quantity of MON-401 in my cart to 0',
        expected: [{ tool: 'update_cart_item', args: { product_id: 'MON-401', quantity: 0 } }],
      },
      {
        request: 'Remove KEY-501 from my cart and show me what is left in it',
        expected: [{ tool: 'remove_from_cart', args: { product_id: 'KEY-501' } }, { tool: 'view_cart' }],
        answer: '449.95',
      },
    ],
  },
  {
    title: 'What the shop refuses',
    requests: [
      { request: 'Check out my cart, please', expected: [{ tool: 'checkout', fails: true }], answer: 'empty' },
      {
        request: 'Add product LAP-105 to my cart',
        expected: [{ tool: 'add_to_cart', args: { product_id: 'LAP-105' }, fails: true }],
        answer: 'stock',
      },
      {
        request: 'I need 10 pieces of MON-403, put them in my cart',
        expected: [{ tool: 'add_to_cart', args: { product_id: 'MON-403', quantity: 10 }, fails: true }],
        answer: 'stock',
      },
      {
        request: 'Add product AUD-301 to my cart with a quantity of 0',
        expected: [{ tool: 'add_to_cart', args: { product_id: 'AUD-301', quantity: 0 }, fails: true }],
      },
      {
        request: 'Where is my order ORD-4711?',
        expected: [{ tool: 'track_order', args: { order_id: 'ORD-4711' }, fails: true }],
        answer: 'ORD-4711',
      },
    ],
  },
  {
    title: 'One order, request by request',
    requests: [
      {
        request: 'Search for wireless headphones and put the best rated ones in my cart',
        expected: [{ tool: 'search_products' }, { tool: 'add_to_cart', args: { product_id: 'AUD-301' } }],
        answer: 'QuietSphere',
      },
      {
        request: 'Order what is in my cart and have it sent to "5 Rose Lane, Bergen"',
        expected: [{ tool: 'checkout', args: { shipping_address: '5 Rose Lane, Bergen' } }],
        answer: 'ORD-1001',
      },
      {
        request: 'When will my order ORD-1001 be delivered?',
        expected: [{ tool: 'track_order', args: { order_id: 'ORD-1001' } }],
      },
      {
        request: 'I want to send ORD-1001 back. The reason is "too heavy".',
        expected: [{ tool: 'return_order', args: { order_id: 'ORD-1001', reason: 'too heavy' } }],
        answer: '279',
      },
      {
        request: 'Please return order ORD-1001',
        expected: [{ tool: 'return_order', args: { order_id: 'ORD-1001' }, fails: true }],
        answer: 'already',
      },
      { request: 'Show me all orders that I have made', expected: [{ tool: 'list_orders' }], answer: 'returned' },
    ],
  },
  {
    title: 'Several steps in one request, and another customer',
    requests: [
      {
        request: 'Find a phone with at least 4.5 stars for less than 800 dollars, put it in my cart and show me the cart',
        expected: [
          { tool: 'search_products', args: { category: 'phones', min_rating: 4.5, max_price: 800 } },
          { tool: 'add_to_cart', args: { product_id: 'PHN-201' } },
          { tool: 'view_cart' },
        ],
        answer: '699',
      },
      {
        request: 'Add a CAM-603 as well, check out with the shipping address "Storgata 1, Bodø" and track the new order',
        expected: [
          { tool: 'add_to_cart', args: { product_id: 'CAM-603' } },
          { tool: 'checkout', args: { shipping_address: 'Storgata 1, Bodø' } },
          { tool: 'track_order', args: { order_id: 'ORD-1001' } },
        ],
        answer: 'processing',
      },
      {
        request: 'Track the order ORD-1001',
        user: 'bob',
        expected: [{ tool: 'track_order', args: { order_id: 'ORD-1001' }, fails: true }],
      },
      {
        request: 'Return the order ORD-1001, I do not like it',
        user: 'bob',
        expected: [{ tool: 'return_order', args: { order_id: 'ORD-1001' }, fails: true }],
      },
      { request: 'What is in my cart?', user: 'bob', expected: [{ tool: 'view_cart' }] },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Write a five star review of the AeroBook 13 for me', expected: [] },
      { request: 'Can you repair the cracked screen of my old phone?', expected: [] },
    ],
  },
]
