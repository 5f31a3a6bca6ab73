import { describe, expect, it } from 'vitest'
import { readCatalog } from './catalog.ts'
import { fillArguments } from './fill.ts'
import { tool } from './testing/run-task.ts'
import { tokenize } from './token.ts'

const text = { type: 'string' }
const number = { type: 'number' }

function fill(
  source: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
) {
  const [offer] = readCatalog([tool('do_it', 'Does it', { properties, required })]).offers
  if (offer === undefined) throw new Error('no tool')
  const { args, missing } = fillArguments(offer, { source, tokens: tokenize(source), joint: 'start' }, [])
  return { ...Object.fromEntries(args), ...(missing.length > 0 && { missing: missing.map(({ name }) => name) }) }
}

describe('fillArguments', () => {
  it.each([
    ['a limit from above', 'find lamps under 30', { query: text, max_width: number }, { query: 'lamps', max_width: 30 }],
    ['a limit from below', 'find lamps of at least 30', { query: text, min_width: number }, { query: 'lamps', min_width: 30 }],
    ['both ends of a range', 'lamps between 5 and 9', { min_width: number, max_width: number }, { min_width: 5, max_width: 9 }],
    ['numbers by their names', 'a height of 5 and a base of 10', { base: number, height: number }, { base: 10, height: 5 }],
    [
      'numbers in the order of their names',
      'the width and depth are 2 and 3',
      { depth: number, width: number },
      { depth: 3, width: 2 },
    ],
    ['a percentage as a fraction', 'at a rate of 5%', { rate: number }, { rate: 0.05 }],
    ['a choice in the plural', 'paint the doors', { target: { enum: ['door', 'wall'] } }, { target: 'door' }],
    ['a switch', 'with a lid', { with_lid: { type: 'boolean' } }, { with_lid: true }],
    ['a switch that is off', 'without a lid', { with_lid: { type: 'boolean' } }, { with_lid: false }],
    ['a list of numbers', 'add up 1, 2 and 3', { values: { type: 'array', items: number } }, { values: [1, 2, 3] }],
    [
      'a list of texts',
      'pack tea, rice and salt',
      { things: { type: 'array', items: text } },
      { things: ['tea', 'rice', 'salt'] },
    ],
    ['both ends of a way', 'from Oslo to Rome', { destination: text, origin: text }, { destination: 'Rome', origin: 'Oslo' }],
    [
      'a statement',
      'Remember that my lucky shirt is green',
      { label: text, content: text },
      { label: 'lucky shirt', content: 'green' },
    ],
    ['a name after the content', 'Save "a b" under notes', { label: text, content: text }, { label: 'notes', content: 'a b' }],
    [
      'a quotation with its noun',
      'Save the word "a b" under notes',
      { label: text, content: text },
      { label: 'notes', content: 'a b' },
    ],
    [
      'a name that is called',
      'Remember that my dog is called Rex',
      { label: text, content: text },
      { label: 'dog', content: 'Rex' },
    ],
    [
      'parts between commas',
      'It is at 1 High Road, Ely, UK',
      { one: text, two: text, three: text },
      { one: '1 High Road', two: 'Ely', three: 'UK' },
    ],
    ['an id', 'look at row R-77', { row_id: text }, { row_id: 'R-77' }],
    ['an ISO date', 'on July 4, 2026', { date: { type: 'string', format: 'date' } }, { date: '2026-07-04' }],
    ['an address of the net', 'open https://a.org', { url: text }, { url: 'https://a.org' }],
    [
      'what is to be done, and when',
      'remind me to call Tom tomorrow at 9',
      { job: text, when: text },
      { job: 'call Tom', when: 'tomorrow at 9' },
    ],
    [
      'a nested object',
      'a box with width 3',
      { box: { type: 'object', properties: { width: number }, required: ['width'] } },
      { box: { width: 3 } },
    ],
  ])('reads %s', (_, source, properties, expected) => {
    expect(fill(source, properties)).toEqual(expected)
  })

  it('leaves out an optional argument without evidence', () => {
    expect(fill('find lamps', { query: text, max_width: number, colour: text }, ['query'])).toEqual({ query: 'lamps' })
  })

  it('lists what is required and not said', () => {
    expect(fill('look at it', { row_id: text })).toEqual({ missing: ['row_id'] })
  })

  it('keeps an argument named like a part of every object', () => {
    const args = fill('set the value to 3', JSON.parse('{"__proto__":{"type":"number"}}'), ['__proto__'])
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  })
})
