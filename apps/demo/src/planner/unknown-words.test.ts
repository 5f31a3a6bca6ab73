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
    expect(text).toBe(`"${word}" in "${request}" isn't understood, so add_lamp wasn't called and nothing was changed.`)
  })

  it('reads if it understands at least half of the words that matter', async () => {
    expect(await callsFor('Find red lamps for at most 30 dollars for Grandma')).toEqual(['find_lamps'])
    expect(await callsFor('Find red whales, sharks and dolphins')).toEqual([])
  })

  it('is cautious only on demand', async () => {
    expect(await callsFor('Add lamp LMP-1 to the basket of my neighbor', false)).toEqual(['add_lamp'])
  })
})
