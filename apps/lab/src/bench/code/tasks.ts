/** Ten tasks for the domains of the demo, each solved in two ways: by a model's calls in turns, and by one program. */

/** The calls of a turn. They are made together, because none of them needs the result of another. */
export type Turn = readonly (readonly [tool: string, args?: object])[]

export interface Task {
  readonly request: string
  readonly domains: readonly string[]
  /** Yields the calls of each turn, receives their results, and returns its findings. */
  readonly direct: () => Generator<Turn, unknown, never>
  /** A program that does the same. */
  readonly program: string
}

interface Account {
  readonly name: string
  readonly balance: number
}
interface Payment {
  readonly amount: number
}
interface Product {
  readonly product_id: string
  readonly name: string
  readonly price: number
  readonly rating: number
}
interface Order {
  readonly order_id: string
  readonly total: number
}
interface Event {
  readonly event_id: string
  readonly title: string
  readonly date: string
  readonly price: number
  readonly seats_left: number
}
interface Registration {
  readonly title: string
  readonly total_price: number
}

export const TASKS: readonly Task[] = [
  {
    request: 'How much is in my savings account?',
    domains: ['finance'],
    *direct() {
      const [{ balance }]: [Account] = yield [['get_balance', { account: 'savings' }]]
      return balance
    },
    program: `return (await tools.get_balance({ account: 'savings' })).balance`,
  },
  {
    request: 'Pay 86.40 dollars to Northwind Energy out of the account with the most money. What is left there?',
    domains: ['finance'],
    *direct() {
      const [accounts]: [Account[]] = yield [['list_accounts']]
      const { name } = accounts.reduce((one, other) => (other.balance > one.balance ? other : one))
      yield [['pay_bill', { payee: 'Northwind Energy', amount: 86.4, account: name }]]
      const [{ balance }]: [Account] = yield [['get_balance', { account: name }]]
      return { paid_from: name, left: balance }
    },
    program: `const accounts = await tools.list_accounts()
const { name } = accounts.reduce((one, other) => (other.balance > one.balance ? other : one))
await tools.pay_bill({ payee: 'Northwind Energy', amount: 86.4, account: name })
const { balance } = await tools.get_balance({ account: name })
return { paid_from: name, left: balance }`,
  },
  {
    request: 'How much have I paid to others out of each of my accounts since 1 October 2026?',
    domains: ['finance'],
    *direct() {
      const [accounts]: [Account[]] = yield [['list_accounts']]
      const lists: Payment[][] = yield accounts.map(({ name }) => [
        'list_transactions',
        { account: name, kind: 'payment', from_date: '2026-10-01', limit: 50 },
      ])
      return accounts.map(({ name }, index) => ({ name, paid: sumOf(lists[index] ?? []) }))
    },
    program: `const accounts = await tools.list_accounts()
return await Promise.all(accounts.map(async ({ name }) => {
  const list = await tools.list_transactions({ account: name, kind: 'payment', from_date: '2026-10-01', limit: 50 })
  return { name, paid: Math.round(list.reduce((sum, { amount }) => sum - amount * 100, 0)) / 100 }
}))`,
  },
  {
    request: 'Bring my checking account to 5,000 dollars: with all of vacation first, and the rest from savings.',
    domains: ['finance'],
    *direct() {
      const [accounts]: [Account[]] = yield [['list_accounts']]
      const balanceOf = (wanted: string) => accounts.find(({ name }) => name === wanted)?.balance ?? 0
      const first = balanceOf('vacation')
      const rest = Math.round((5000 - balanceOf('checking') - first) * 100) / 100
      yield [['transfer_money', { from_account: 'vacation', to_account: 'checking', amount: first }]]
      yield [['transfer_money', { from_account: 'savings', to_account: 'checking', amount: rest }]]
      const [{ balance }]: [Account] = yield [['get_balance', { account: 'checking' }]]
      return { first, rest, balance }
    },
    program: `const accounts = await tools.list_accounts()
const balanceOf = (wanted) => accounts.find(({ name }) => name === wanted).balance
const first = balanceOf('vacation')
const rest = Math.round((5000 - balanceOf('checking') - first) * 100) / 100
await tools.transfer_money({ from_account: 'vacation', to_account: 'checking', amount: first })
await tools.transfer_money({ from_account: 'savings', to_account: 'checking', amount: rest })
const { balance } = await tools.get_balance({ account: 'checking' })
return { first, rest, balance }`,
  },
  {
    request: 'Find laptops under 1,000 dollars and add the cheapest one to my cart.',
    domains: ['ecommerce'],
    *direct() {
      const [laptops]: [Product[]] = yield [['search_products', { category: 'laptops', max_price: 1000 }]]
      const { product_id, name, price } = cheapest(laptops)
      yield [['add_to_cart', { product_id }]]
      return { name, price }
    },
    program: `const laptops = await tools.search_products({ category: 'laptops', max_price: 1000 })
const { product_id, name, price } = laptops.reduce((one, other) => (other.price < one.price ? other : one))
await tools.add_to_cart({ product_id })
return { name, price }`,
  },
  {
    request: 'What is your best rated product in each category? Describe each of them.',
    domains: ['ecommerce'],
    *direct() {
      const categories = ['laptops', 'phones', 'headphones', 'monitors', 'keyboards', 'cameras']
      const lists: Product[][] = yield categories.map((category) => ['search_products', { category }])
      const details: (Product & { readonly description: string })[] = yield lists.map((list) => [
        'get_product_details',
        { product_id: list[0]?.product_id },
      ])
      return details.map(({ name, rating, description }) => ({ name, rating, description }))
    },
    program: `const categories = ['laptops', 'phones', 'headphones', 'monitors', 'keyboards', 'cameras']
return await Promise.all(categories.map(async (category) => {
  const [best] = await tools.search_products({ category })
  const { name, rating, description } = await tools.get_product_details({ product_id: best.product_id })
  return { name, rating, description }
}))`,
  },
  {
    request: 'Order the phone and the headphones with the best ratings that cost at most 800 dollars together.',
    domains: ['ecommerce'],
    *direct() {
      const [phones, headphones]: [Product[], Product[]] = yield [
        ['search_products', { category: 'phones', max_price: 800 }],
        ['search_products', { category: 'headphones', max_price: 800 }],
      ]
      const pairs = phones.flatMap((phone) => headphones.map((other) => [phone, other] as const))
      const [phone, other] = pairs
        .filter(([one, two]) => one.price + two.price <= 800)
        .reduce((one, two) => (two[0].rating + two[1].rating > one[0].rating + one[1].rating ? two : one))
      yield [['add_to_cart', { product_id: phone.product_id }]]
      yield [['add_to_cart', { product_id: other.product_id }]]
      const [{ order_id, total }]: [Order] = yield [['checkout', {}]]
      return { order_id, total, products: [phone.name, other.name] }
    },
    program: `const [phones, headphones] = await Promise.all([
  tools.search_products({ category: 'phones', max_price: 800 }),
  tools.search_products({ category: 'headphones', max_price: 800 }),
])
const [phone, other] = phones
  .flatMap((one) => headphones.map((two) => [one, two]))
  .filter(([one, two]) => one.price + two.price <= 800)
  .reduce((one, two) => (two[0].rating + two[1].rating > one[0].rating + one[1].rating ? two : one))
await tools.add_to_cart({ product_id: phone.product_id })
await tools.add_to_cart({ product_id: other.product_id })
const { order_id, total } = await tools.checkout({})
return { order_id, total, products: [phone.name, other.name] }`,
  },
  {
    request: 'Register two people for the cheapest workshop that has at least four seats left, and remind me the day before.',
    domains: ['events', 'productivity'],
    *direct() {
      const [workshops]: [Event[]] = yield [['find_events', { category: 'workshop' }]]
      const { event_id, title, date } = cheapest(workshops.filter(({ seats_left }) => seats_left >= 4))
      const [{ total_price }]: [Registration] = yield [['register_for_event', { event_id, seats: 2 }]]
      yield [['set_reminder', { title, time: `the day before ${date}` }]]
      return { title, date, total_price }
    },
    program: `const workshops = await tools.find_events({ category: 'workshop' })
const { event_id, title, date } = workshops
  .filter(({ seats_left }) => seats_left >= 4)
  .reduce((one, other) => (other.price < one.price ? other : one))
const { total_price } = await tools.register_for_event({ event_id, seats: 2 })
await tools.set_reminder({ title, time: 'the day before ' + date })
return { title, date, total_price }`,
  },
  {
    request: 'Register me for every exhibition and every run of 2027 that costs at most 35 euros, and set a reminder for each.',
    domains: ['events', 'productivity'],
    *direct() {
      const found: [Event[], Event[]] = yield [
        ['find_events', { category: 'exhibition', max_price: 35 }],
        ['find_events', { category: 'sports', max_price: 35 }],
      ]
      const events = found.flat()
      yield events.map(({ event_id }) => ['register_for_event', { event_id }])
      yield events.map(({ title, date }) => ['set_reminder', { title, time: date }])
      const [registrations]: [Registration[]] = yield [['list_registrations']]
      return registrations.map(({ title, total_price }) => ({ title, total_price }))
    },
    program: `const found = await Promise.all([
  tools.find_events({ category: 'exhibition', max_price: 35 }),
  tools.find_events({ category: 'sports', max_price: 35 }),
])
for (const { event_id } of found.flat()) await tools.register_for_event({ event_id })
for (const { title, date } of found.flat()) await tools.set_reminder({ title, time: date })
const registrations = await tools.list_registrations()
return registrations.map(({ title, total_price }) => ({ title, total_price }))`,
  },
  {
    request: 'Translate "Where is the station?" to Danish, German, Greek, Italian and Welsh, and store each under its language.',
    domains: ['language', 'memory'],
    *direct() {
      const names = ['Danish', 'German', 'Greek', 'Italian', 'Welsh']
      const [languages]: [{ readonly code: string; readonly name: string }[]] = yield [
        ['list_languages', { query: names.join(', ') }],
      ]
      const texts: { readonly translated_text: string }[] = yield languages.map(({ code }) => [
        'translate_text',
        { text: 'Where is the station?', target_language: code },
      ])
      yield languages.map(({ name }, index) => ['memory_store', { key: name, value: texts[index]?.translated_text }])
      const [keys]: [string[]] = yield [['memory_list']]
      return keys
    },
    program: `const languages = await tools.list_languages({ query: 'Danish, German, Greek, Italian, Welsh' })
const texts = await Promise.all(
  languages.map(({ code }) => tools.translate_text({ text: 'Where is the station?', target_language: code })),
)
for (const [index, { name }] of languages.entries())
  await tools.memory_store({ key: name, value: texts[index].translated_text })
return await tools.memory_list()`,
  },
]

function sumOf(list: readonly Payment[]): number {
  return Math.round(list.reduce((sum, { amount }) => sum - amount * 100, 0)) / 100
}

function cheapest<Priced extends { readonly price: number }>(list: readonly Priced[]): Priced {
  return list.reduce((one, other) => (other.price < one.price ? other : one))
}
