/** Requests as people word them: with names instead of ids, with months, idioms and reasons. */
import { describe, expect, it } from 'vitest'
import { tool } from '../../test/run-task.ts'
import { plannerLM } from './planner-lm.ts'

const lampId = { type: 'string', description: 'Id of the lamp, e.g. "LMP-1"' }
const TOOLS = [
  tool('add_lamp', 'Add a lamp to the basket', {
    properties: { lamp_id: lampId, quantity: { type: 'integer', minimum: 1, default: 1, description: 'How many to add' } },
    required: ['lamp_id'],
  }),
  tool('return_lamp', 'Return a lamp', {
    properties: { lamp_id: lampId, motive: { type: 'string', default: '', description: 'Why the lamp is returned' } },
    required: ['lamp_id'],
  }),
  tool('search_lamps', 'Search the lamps by words', {
    properties: { query: { type: 'string', description: 'Words that the lamp contains' } },
  }),
  tool('get_lamp_details', 'Get the details of one lamp: brightness and price', {
    properties: { lamp_id: lampId },
    required: ['lamp_id'],
  }),
  tool('find_fairs', 'Find fairs by place and date', {
    properties: {
      place: { type: 'string', description: 'Place of the fair: Rome, Bergen' },
      date_from: { type: 'string', description: 'First day, as YYYY-MM-DD' },
      date_to: { type: 'string', description: 'Last day, as YYYY-MM-DD' },
    },
  }),
  tool('set_reminder', 'Set a reminder: put a task and its time on the list', {
    properties: {
      task: { type: 'string', description: 'What to be reminded of' },
      time: { type: 'string', description: 'When' },
    },
    required: ['task', 'time'],
  }),
]

type Messages = Parameters<ReturnType<typeof plannerLM>['generate']>[0]['messages']

const respond = (messages: Messages) => plannerLM({ isCautious: true }).generate({ messages, tools: TOOLS })

const callsIn = async (messages: Messages) =>
  (await respond(messages)).toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args)])

const firstCalls = (content: string) => callsIn([{ role: 'user', content }])

/** Returns the calls after the search, which found the given rows. */
const callsAfterSearch = (content: string, query: string, rows: readonly object[]) =>
  callsIn([
    { role: 'user', content },
    { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'search_lamps', arguments: JSON.stringify({ query }) }] },
    { role: 'tool', callId: '1', name: 'search_lamps', content: JSON.stringify(rows) },
  ])

const sunrise = { lamp_id: 'LMP-7', name: 'Sunrise 20', price: 5 }
const sunset = { lamp_id: 'LMP-8', name: 'Sunset 30', price: 6 }

describe('a thing with a name instead of an id', () => {
  it.each([
    ['Add two Sunrises to the basket', 'Sunrises'],
    ['Add the Sunrise 20 to my basket', 'Sunrise 20'],
    ['Add the Lady of the Lake to my basket', 'Lady of the Lake'],
    ['add the sunrise to my basket', 'sunrise'],
    ['What is the price of the Sunrise 20?', 'Sunrise 20'],
    ['Do you have the Sunrise 20?', 'Sunrise 20'],
  ])('is searched for first: %s', async (request, query) => {
    expect(await firstCalls(request)).toEqual([['search_lamps', { query }]])
  })

  it('is used if the search finds only it, and a number in its name is no quantity', async () => {
    expect(await callsAfterSearch('Add the Sunrise 20 to my basket', 'Sunrise 20', [sunrise])).toEqual([
      ['add_lamp', { lamp_id: 'LMP-7' }],
    ])
    expect(await callsAfterSearch('Add two Sunrises to my basket', 'Sunrises', [sunrise])).toEqual([
      ['add_lamp', { lamp_id: 'LMP-7', quantity: 2 }],
    ])
  })

  it.each([
    ['one other lamp', [sunrise], ['search_lamps', { query: 'Sunset 30' }]],
    [
      'lamps with the same first word',
      [sunset, { ...sunset, lamp_id: 'LMP-9', name: 'Sunset 60' }],
      ['add_lamp', { lamp_id: 'LMP-8' }],
    ],
  ])('is taken from an earlier result only by its whole name: %s', async (_, rows, expected) => {
    const calls = await callsIn([
      { role: 'user', content: 'Search lamps' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'search_lamps', arguments: '{"query":"s"}' }] },
      { role: 'tool', callId: '1', name: 'search_lamps', content: JSON.stringify(rows) },
      { role: 'assistant', content: 'Here they are.' },
      { role: 'user', content: 'Add the Sunset 30 to my basket' },
    ])
    expect(calls).toEqual([expected])
  })

  it.each([['several lamps', [sunrise, sunset]] as const, ['no lamp', []] as const])(
    'changes nothing if the search finds %s',
    async (_, rows) => {
      expect(await callsAfterSearch('Add the Glow to my basket', 'Glow', rows)).toEqual([])
    },
  )

  it.each(['Add a table for two in Rome to my calendar', 'Tell me a joke', 'Who is Ada Lovelace?'])(
    'is not searched for if other words are unknown: %s',
    async (request) => {
      expect(await firstCalls(request)).toEqual([])
    },
  )
})

it.each([
  ['Order the Sunrise 20', []],
  ['Put the Sunrise 20 and the Sunset 30 into my basket', []],
  ['Get me two of the Sunrise 20', []],
])('changes and reads nothing if the verb, the name or the count is unclear: %s', async (request, calls) => {
  expect(await firstCalls(request)).toEqual(calls)
})

describe('a number in the clause before', () => {
  it('is the quantity of "them"', async () => {
    const request = 'Search for three Sunrise lamps and add them to the basket'
    expect(await callsAfterSearch(request, 'Sunrise', [sunrise])).toEqual([['add_lamp', { lamp_id: 'LMP-7', quantity: 3 }]])
  })
})

describe('dates', () => {
  it.each([
    ['What is on in Rome in September 2027?', { place: 'Rome', date_from: '2027-09-01', date_to: '2027-09-30' }],
    ['Which fairs are there on 5 June 2027?', { date_from: '2027-06-05', date_to: '2027-06-05' }],
    ['Which fairs are there after 5 June 2027?', { date_from: '2027-06-06' }],
    ['Which fairs are there before June 2027?', { date_to: '2027-05-31' }],
  ])('become a period: %s', async (request, args) => {
    expect(await firstCalls(request)).toEqual([['find_fairs', args]])
  })

  it.each(['Which fairs are in May?', 'Which fairs happen in autumn?', 'Which fairs are there this weekend?'])(
    'without a year are not dropped: %s',
    async (request) => {
      expect(await firstCalls(request)).toEqual([])
    },
  )
})

it.each([
  ["Don't let me forget to water the plants tomorrow", { task: 'water the plants', time: 'tomorrow' }],
  ['Remind me this evening to call Tom', { task: 'call Tom', time: 'this evening' }],
])('understands how people ask to be reminded: %s', async (request, args) => {
  expect(await firstCalls(request)).toEqual([['set_reminder', args]])
})

it.each(['Set the Sunrise to 3 in my bag', 'Set a reminder for all of them'])(
  'sets no reminder without a time or a task: %s',
  async (request) => {
    expect(await firstCalls(request)).toEqual([])
  },
)

it.each([
  ['Show my recent orders', 'list_orders'],
  ['List all lectures', 'find_lectures'],
  ['List my lectures', 'list_bookings'],
])('lists what the noun and "my" ask for: %s', async (request, name) => {
  const tools = [
    ...TOOLS,
    tool('list_orders', 'List the orders of the user'),
    tool('list_bookings', 'List the lectures that the user has booked'),
    tool('find_lectures', 'Find or list lectures', {
      properties: { query: { type: 'string', description: 'Words in the title' } },
    }),
  ]
  const { toolCalls } = await plannerLM({ isCautious: true }).generate({ messages: [{ role: 'user', content: request }], tools })
  expect(toolCalls.map((call) => call.name)).toEqual([name])
})

it.each([
  [
    'Pay 5 dollars to Anna from main for the new roof',
    'pay_person',
    { payee: 'Anna', amount: 5, source: 'main', note: 'new roof' },
  ],
  ['Send 5 dollars to Anna from main', 'pay_person', { payee: 'Anna', amount: 5, source: 'main' }],
])('pays a person instead of a purse, with the purpose: %s', async (request, name, args) => {
  const purse = { type: 'string', description: 'Name of the purse, e.g. "main" or "spare"' }
  const amount = { type: 'number', description: 'Amount in dollars' }
  const tools = [
    tool('move_coins', 'Move coins from one purse to another: send them', {
      properties: { from_purse: purse, to_purse: purse, amount },
      required: ['from_purse', 'to_purse', 'amount'],
    }),
    tool('pay_person', 'Pay a person: send coins to a person', {
      properties: {
        payee: { type: 'string', description: 'Name of the person' },
        amount,
        source: { type: 'string', description: 'Purse that the coins are taken from: e.g. "main" or "spare"' },
        note: { type: 'string', default: '', description: 'What it is for' },
      },
      required: ['payee', 'amount', 'source'],
    }),
  ]
  const { toolCalls } = await plannerLM({ isCautious: true }).generate({ messages: [{ role: 'user', content: request }], tools })
  expect(toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([[name, args]])
})

describe('a reason', () => {
  it.each([
    ['Return LMP-7, I do not like it', 'I do not like it'],
    ["Return LMP-7 because the switch doesn't work", "the switch doesn't work"],
    ['Return LMP-7. It arrived too late.', 'It arrived too late'],
  ])('is passed, and a negation in it forbids nothing: %s', async (request, motive) => {
    expect(await firstCalls(request)).toEqual([['return_lamp', { lamp_id: 'LMP-7', motive }]])
  })

  it('does not undo a prohibition', async () => {
    expect(await firstCalls("Don't return LMP-7, it is fine")).toEqual([])
  })
})

it('reads "what\'s" as "what is"', async () => {
  const { text } = await respond([{ role: 'user', content: "What's the price of LMP-7?" }])
  expect(text).toContain('get_lamp_details')
})
