import { describe, expect, it } from 'vitest'
import { tool } from '../../../test/run-task.ts'
import { readCatalog } from '../tools/catalog.ts'
import { tokenize } from '../words/token.ts'
import { fillArguments } from './fill.ts'

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
    [
      'a code that the description explains',
      'heat it to 80 in Fahrenheit',
      { scale: { type: 'string', description: 'Scale, C for Celsius or F for Fahrenheit' } },
      { scale: 'F' },
    ],
    [
      'a two-letter code that the platform can name',
      'guide them in Finnish',
      { spoken_language: { type: 'string', description: 'What the guide speaks, as two-letter code' } },
      { spoken_language: 'fi' },
    ],
    [
      'both ends of a time',
      'closed between 2026-07-01 and 2026-07-04',
      { until_date: { ...text, description: 'Last day' }, from_date: { ...text, description: 'First day' } },
      { until_date: '2026-07-04', from_date: '2026-07-01' },
    ],
    [
      'where it goes, by the preposition that the description ends with',
      'carry the lamp to the attic out of the garage',
      {
        room: { ...text, description: 'Room to carry it to; left out, the hall' },
        place: { ...text, description: 'Place taken from' },
      },
      { room: 'attic', place: 'garage' },
    ],
    ['a day for a time', 'ring "wake up" on 1 December', { words: text, time: text }, { words: 'wake up', time: '1 December' }],
    [
      'a name with capitals',
      'give the lamp to Tom Lee',
      { owner: { ...text, description: 'Name of the one who has it' }, thing: text },
      { owner: 'Tom Lee', thing: 'lamp' },
    ],
    ['a value behind the noun of the tool', 'the new depth of Mirror Lake', { lake: text }, { lake: 'Mirror Lake' }],
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

  it.each(['lamps that cost between 5 and 9', 'I am looking for lamps between 5 and 9', 'lamps that you have between 5 and 9'])(
    'takes no verb as a value: %j',
    (source) => {
      const width = { min_width: number, max_width: number }
      expect(fill(source, { query: text, ...width }, ['query'])).toEqual({ query: 'lamps', min_width: 5, max_width: 9 })
    },
  )

  it.each(['lamps that are red', 'the name given is Tom'])('keeps a value after a verb: %j', (source) => {
    expect(fill(source, { query: text })).toEqual({ query: expect.stringMatching(/red$|Tom$/) })
  })

  it('lists missing required arguments', () => {
    expect(fill('look at it', { row_id: text })).toEqual({ missing: ['row_id'] })
  })

  it('keeps an argument named like a part of every object', () => {
    const args = fill('set the value to 3', JSON.parse('{"__proto__":{"type":"number"}}'), ['__proto__'])
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  })
})
