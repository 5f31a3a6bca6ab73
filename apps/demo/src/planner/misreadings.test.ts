/** Requests with a part that no argument can express: a prohibition, a date without a year, a limit of another kind, a second request. */
import { describe, expect, it } from 'vitest'
import { tool } from '../../test/run-task.ts'
import { plannerLM } from './planner-lm.ts'

const lampId = { type: 'string', description: 'Id of the lamp, e.g. "LMP-1"' }
const purse = { type: 'string', description: 'Name of the purse, e.g. "main" or "spare"' }
const TOOLS = [
  tool('search_lamps', 'Search the lamps of the store by words, color and price', {
    properties: {
      query: { type: 'string', description: 'Words that the name of the lamp contains' },
      color: { type: 'string', enum: ['red', 'green'] },
      max_price: { type: 'number', description: 'Highest price in dollars' },
      min_price: { type: 'number', description: 'Lowest price in dollars' },
    },
  }),
  tool('get_coins', 'Get the coins in one purse of the user', { properties: { purse }, required: ['purse'] }),
  tool('list_bookings', 'List the bookings, or records, of one purse of the user', {
    properties: {
      purse,
      from_date: { type: 'string', description: 'First day, as YYYY-MM-DD' },
      to_date: { type: 'string', description: 'Last day, as YYYY-MM-DD' },
      limit: { type: 'integer', default: 10, description: 'How many to list at most' },
    },
    required: ['purse'],
  }),
  tool('add_lamp', 'Add a lamp to the basket', { properties: { lamp_id: lampId }, required: ['lamp_id'] }),
  tool('list_alarms', 'List all alarms', {}),
  tool('cancel_alarm', 'Cancel an alarm: take it off the list', {
    properties: { alarm_id: { type: 'string', description: 'Id of the alarm' } },
    required: ['alarm_id'],
  }),
  tool('set_alarm', 'Set an alarm: remind the user of a task', {
    properties: {
      task: { type: 'string', description: 'What to be reminded of' },
      time: { type: 'string', description: 'When' },
    },
    required: ['task', 'time'],
  }),
  tool('note_store', 'Store a value under a key', {
    properties: {
      key: { type: 'string', description: 'Name of the entry' },
      value: { type: 'string', description: 'Text to remember' },
      tags: { type: 'array', items: { type: 'string' }, description: 'Labels for the entry' },
    },
    required: ['key', 'value'],
  }),
  tool('checkout', 'Check out: order everything in the basket', {
    properties: { address: { type: 'string', default: '', description: 'Address to ship to' } },
  }),
  tool('guess_street', 'Guess the street of the user, and the town', {
    properties: { street: { type: 'string', default: '', description: 'Street of the guess' } },
  }),
  tool('get_lamp_details', 'Get the details of one lamp: its seats', { properties: { lamp_id: lampId }, required: ['lamp_id'] }),
  tool('translate_word', 'Translate a word', {
    properties: {
      text: { type: 'string', description: 'The text to translate' },
      language: { type: 'string', description: 'Language: two-letter code, e.g. fr for French' },
      source_language: { type: 'string', default: 'auto', description: 'Language of the text: two-letter code' },
    },
    required: ['text', 'language'],
  }),
  tool('list_visits', 'List the visits that the user is registered for', {}),
]

const lamps = [
  { lamp_id: 'LMP-1', name: 'Sunrise', price: 5 },
  { lamp_id: 'LMP-2', name: 'Sunset', price: 6 },
]

type Messages = Parameters<ReturnType<typeof plannerLM>['generate']>[0]['messages']

async function respond(messages: Messages) {
  const { text, toolCalls } = await plannerLM({ isCautious: true }).generate({ messages, tools: TOOLS })
  return { text, calls: toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args)]) }
}

const ask = (content: string) => respond([{ role: 'user', content }])

/** Asks again after the first call, with its result. */
function askAfter(content: string, name: string, args: object, result: unknown) {
  return respond([
    { role: 'user', content },
    { role: 'assistant', content: '', toolCalls: [{ id: '1', name, arguments: JSON.stringify(args) }] },
    { role: 'tool', callId: '1', name, content: JSON.stringify(result) },
  ])
}

describe('nothing is read if a part of the request has no place in the call', () => {
  it.each([
    ['a prohibition', 'Show lamps that are not red', 'not'],
    ['an exception', 'Show red lamps except the Sunrise', 'except'],
    ['a month without a year', 'Show the bookings of main in November', 'November'],
    ['a month without a year after a word', 'Show red lamps since next February', 'next February'],
    ['a month as the text of a search', 'Show red lamps by March', 'March'],
    ['a limit in another unit', 'Show lamps under 20 euros', '20'],
    ['a limit of something else', 'Show red lamps with at least 16 watts', '16'],
    ['a number of rows as a price', 'Show at most 3 lamps', '3'],
    ['an amount as a number of rows', 'Show what happens to main if I take 20 dollars of its bookings', '20'],
    ['the second of a scale', 'Show the second cheapest red lamp', 'second'],
    ['the two best of a scale', 'Show the two cheapest red lamps', 'two'],
    ['a word of the tool in a name', 'Show main records since May 2027', 'records'],
    ['a noun of the user', 'Search my notes for tea', 'notes'],
    ['a measure as the text of a search', 'Which red lamp has the most watts?', 'watts'],
    ['an extreme as a name', 'Show which purse has the smallest coins', 'smallest'],
    ['a second name', 'Show the coins in main or vacation', 'vacation'],
    ['a tool that computes, without its input', 'Did I ever tell you my street?', 'street'],
  ])('%s', async (_, request, word) => {
    const { text, calls } = await ask(request)
    expect(calls).toEqual([])
    expect(text).toContain(`"${word}" in "${request}" isn't understood`)
  })
})

describe('is read, because every part has its place', () => {
  it.each([
    ['a colloquial unit', 'Show lamps under 20 bucks', ['search_lamps', { max_price: 20 }]],
    ['a negated comparison', 'Show lamps for no more than 20 dollars', ['search_lamps', { max_price: 20 }]],
    ['a number of rows', 'Show the last 5 bookings of main', ['list_bookings', { purse: 'main', limit: 5 }]],
    ['a name before the noun of the tool', 'Show my main bookings', ['list_bookings', { purse: 'main' }]],
    ['a name after other words', 'What coins are left in the spare purse?', ['get_coins', { purse: 'spare' }]],
    ['a verb with a particle', 'What did I sign up for?', ['list_visits', {}]],
    ['what the user does', 'Which visits am I going to?', ['list_visits', {}]],
    ['a word without weight', 'What is the next lamp?', ['search_lamps', {}]],
    ['a question about the store', 'Do you sell any red lamps?', ['search_lamps', { color: 'red' }]],
    ['an abbreviated courtesy', 'Show the coins in main pls', ['get_coins', { purse: 'main' }]],
    [
      'a quoted value next to an optional list',
      'Save "12 Oak" under the key "home"',
      ['note_store', { key: 'home', value: '12 Oak' }],
    ],
  ])('%s', async (_, request, call) => {
    expect((await ask(request)).calls).toEqual([call])
  })
})

it.each([
  'How many coins are in main and is there a red lamp?',
  'How many coins are in main, and also are there any red lamps?',
  'How many coins are in main and do you have red lamps?',
])('reads for both questions of one sentence: %s', async (request) => {
  const { calls } = await ask(request)
  expect(calls).toEqual([
    ['get_coins', { purse: 'main' }],
    ['search_lamps', { color: 'red' }],
  ])
})

it.each([
  ['Show red or green lamps', 'search_lamps', 'color', ['red', 'green']],
  ['How many coins are in main and spare?', 'get_coins', 'purse', ['main', 'spare']],
  ['Translate "lamp" to French and German', 'translate_word', 'language', ['fr', 'de']],
])('reads once for each value of a list: %s', async (request, name, parameter, values) => {
  const { calls } = await ask(request)
  expect(calls).toEqual(values.map((value) => [name, expect.objectContaining({ [parameter]: value })]))
})

it.each([
  ['lightest', lamps, "The results don't show which one is the lightest."],
  ['smallest', lamps.map((lamp) => ({ ...lamp, rating: 4 })), "The results don't show which one is the smallest."],
  ['smallest', lamps, 'The smallest is Sunrise (LMP-1): price 5.'],
  [
    'biggest',
    [
      { name: 'Rent', amount: -900 },
      { name: 'Bread', amount: -3 },
    ],
    'The biggest is Rent: amount -900.',
  ],
])('chooses a row by a scale that the rows have: %s', async (word, rows, sentence) => {
  const { text } = await askAfter(`Show the ${word} red lamp`, 'search_lamps', { color: 'red' }, rows)
  expect(text.split('\n').at(-1)).toBe(sentence)
})

it('does not drop a second question that no tool can answer', async () => {
  const request = 'How many coins are in main and is there life on Mars?'
  const { text } = await askAfter(request, 'get_coins', { purse: 'main' }, { coins: 7 })
  expect(text).toContain('The coins is 7')
  expect(text).toContain('None of the available tools fits "is there life on Mars?"')
})

it('says what was searched for if nothing is found', async () => {
  const { text } = await askAfter('Show red lamps with glitter', 'search_lamps', { query: 'glitter', color: 'red' }, [])
  expect(text).toBe('No lamps were found for "glitter".')
})

describe('nothing is written', () => {
  it.each([
    ['the second of a scale', 'Add the second cheapest lamp to the basket', 'second'],
    ['two of a scale', 'Add the two cheapest lamps to the basket', 'two cheapest'],
  ])('for %s', async (_, request, word) => {
    const { text, calls } = await askAfter(request, 'search_lamps', {}, lamps)
    expect(calls).toEqual([])
    expect(text).toContain(`"${word}", so nothing was changed.`)
  })

  it.each([
    "Remember that I don't like jazz",
    'I might want to add LMP-1 to the basket',
    'Get me a seat in the Sunrise',
    'Set an alarm to UPDATE lamp_table SET lamp_price 0',
    'Set an alarm for 5 to 0',
  ])('for %s', async (request) => {
    expect((await ask(request)).calls).toEqual([])
  })

  it.each([
    ["I'll take the Sunrise", 'Sunrise'],
    ['Take the bus', 'bus'],
  ])('and no id is looked up or asked for, if the thing has another name: %s', async (request, word) => {
    const { text, calls } = await ask(request)
    expect(calls).toEqual([])
    expect(text).toBe(`"${word}" in "${request}" isn't understood, so cancel_alarm wasn't called.`)
  })
})

it.each([
  ['Remember to tell me about the meeting at 3 pm', ['set_alarm', { task: 'meeting', time: '3 pm' }]],
  ['Check out', ['checkout', {}]],
  ['Cancel my alarm', ['list_alarms', {}]],
])('does what a plain request asks for: %s', async (request, call) => {
  expect((await ask(request)).calls).toEqual([call])
})
