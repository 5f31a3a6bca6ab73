import { describe, expect, it } from 'vitest'
import { tool } from '../../test/run-task.ts'
import { plannerLM } from './planner-lm.ts'

const lampId = { type: 'string', description: 'Id of the lamp, e.g. "LMP-1"' }
const addLamp = tool('add_lamp', 'Add a lamp to the basket', { properties: { lamp_id: lampId }, required: ['lamp_id'] })
const findLamps = tool('find_lamps', 'Find lamps by color and price', {
  properties: { color: { type: 'string', enum: ['red', 'green'] }, max_price: { type: 'number', description: 'Highest price' } },
})

const respond = (content: string, isCautious = true) =>
  plannerLM({ isCautious }).generate({ messages: [{ role: 'user', content }], tools: [addLamp, findLamps] })

const callsFor = async (request: string, isCautious?: boolean) =>
  (await respond(request, isCautious)).toolCalls.map(({ name }) => name)

describe('a cautious planner', () => {
  it.each([
    'Add lamp LMP-1 to the basket',
    'Please add lamp LMP-1 to my basket, thanks',
    'I moved. Add lamp LMP-1 to the basket.',
    'Put LMP-1 into the basket',
  ])('changes something if every word that matters is understood: %s', async (request) => {
    expect(await callsFor(request)).toEqual(['add_lamp'])
  })

  it.each([
    ['Add lamp LMP-1 to the basket of my neighbor', 'neighbor'],
    ['Add lamp LMP-1 to the basket with gift wrapping', 'gift'],
    ['Add lamp LMP-1 "as a present" to the basket', 'as a present'],
  ])('changes nothing if a word is unknown: %s', async (request, word) => {
    const { toolCalls, text } = await respond(request)
    expect(toolCalls).toEqual([])
    expect(text).toBe(`"${word}" in "${request}" isn't understood, so add_lamp wasn't called.`)
  })

  it('reads if it understands at least half of the words that matter', async () => {
    expect(await callsFor('Find red lamps for at most 30 dollars for Grandma')).toEqual(['find_lamps'])
    expect(await callsFor('Find red whales, sharks and dolphins')).toEqual([])
  })

  it('is cautious only on demand', async () => {
    expect(await callsFor('Add lamp LMP-1 to the basket of my neighbor', false)).toEqual(['add_lamp'])
  })
})

describe('a cautious planner that searches by words', () => {
  const search = tool('search_lamps', 'Search the lamps of the store by words, price and date', {
    properties: {
      query: { type: 'string', description: 'Words that the name contains' },
      category: { type: 'string', enum: ['desk', 'floor'] },
      max_price: { type: 'number', description: 'Highest price' },
      date_from: { type: 'string', description: 'First day, as YYYY-MM-DD' },
    },
  })
  const describeLamp = tool('get_lamp_details', 'Get the details of one lamp: its height', {
    properties: { lamp_id: lampId },
    required: ['lamp_id'],
  })
  const readShelf = tool('read_shelf', 'Read the label of a shelf of the user', {
    properties: { shelf: { type: 'string', description: 'Name of the shelf, e.g. "upper"' } },
    required: ['shelf'],
  })
  const countBoxes = tool('count_boxes', 'Count the boxes')
  const listBoxes = tool('list_boxes', 'List the boxes that the user is subscribed to')
  const orderOut = tool('checkout', 'Check out: order everything', {
    properties: { shipping_address: { type: 'string', default: '', description: 'Address to ship to' } },
  })
  const place = tool('guess_place', 'Guess the place of the gold: street, town and country', {
    properties: {
      street: { type: 'string', default: '', description: 'Street of the guess' },
      town: { type: 'string', default: '', description: 'Town of the guess' },
      country: { type: 'string', default: '', description: 'Country of the guess' },
    },
  })
  const tools = [search, describeLamp, readShelf, countBoxes, listBoxes, orderOut, place]
  const callsOf = async (content: string) => {
    const { toolCalls } = await plannerLM({ isCautious: true }).generate({ messages: [{ role: 'user', content }], tools })
    return toolCalls.map(({ name, arguments: text }) => [name, JSON.parse(text)])
  }

  it.each([
    ['a negated limit', 'Search desk lamps, nothing over 50 dollars', 'search_lamps', { category: 'desk', max_price: 50 }],
    ['the verb of a question', 'Which floor lamps do you sell?', 'search_lamps', { category: 'floor' }],
    ['a word of no weight', 'Search new desk lamps', 'search_lamps', { category: 'desk' }],
    ['a word beside the thing', 'Search striped desk lamps', 'search_lamps', { query: 'striped', category: 'desk' }],
    ['an id of the kind in the description', 'Tell me more about LMP-7', 'get_lamp_details', { lamp_id: 'LMP-7' }],
    ['a count', 'How many boxes have you got?', 'count_boxes', {}],
    ['a past form of a verb with a particle', 'Which boxes have I signed up for?', 'list_boxes', {}],
    ['a place without its first part', 'Is the gold in Bergen, Norway?', 'guess_place', { town: 'Bergen', country: 'Norway' }],
    [
      'an address with a comma',
      "I'm ready to check out, ship it to 5 Oak Lane, Boston",
      'checkout',
      { shipping_address: '5 Oak Lane, Boston' },
    ],
  ])('understands %s', async (_, request, name, args) => {
    expect(await callsOf(request)).toEqual([[name, args]])
  })

  it.each([
    ['a thing of the user that no tool knows', 'Which of my friends are fond of lamps?'],
    ['another thing beside the one that a tool knows', 'Can you recommend a good pillow near the floor lamps?'],
    ['a date that no argument can express', 'Search desk lamps in October 2026'],
    ['a number that no argument takes', 'Search 7 desk lamps'],
    ['a value as the only evidence', "What's in my pocket right now"],
    ['an unknown thing to look up', 'Look up how much is in the cellar'],
  ])('calls nothing for %s', async (_, request) => {
    expect(await callsOf(request)).toEqual([])
  })
})
