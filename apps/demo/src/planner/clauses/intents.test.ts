import { describe, expect, it } from 'vitest'
import { runTask, tool } from '../../../test/run-task.ts'

const id = { type: 'string', description: 'Id of the lamp, e.g. "L-1"' }
const tools = [
  tool('list_lamps', 'List all lamps of the house'),
  tool('paint_lamp', 'Paint a lamp', {
    properties: { lamp_id: id, coats: { type: 'integer', minimum: 1 } },
    required: ['lamp_id'],
  }),
  tool('lockup', 'Lock up: close every door of the house'),
]
const results = {
  list_lamps: () => [{ lamp_id: 'L-1' }, { lamp_id: 'L-2' }],
  paint_lamp: () => 'painted',
  lockup: () => 'locked',
}
const callsOf = async (task: string) => (await runTask(task, tools, results)).calls.map(([name]) => name)

describe('a tool that may change something', () => {
  it.each([
    ["Don't paint L-1", 'says what not to do'],
    ['Please do not lock up the house', 'says what not to do'],
    ['Never paint L-1', 'says what not to do'],
    ['Paint nothing on L-1', 'says what not to do'],
    ['Paint everything except L-1', 'says what not to do'],
    ['I would never paint L-1', 'says what not to do'],
    ['If it is dark, lock up the house', 'depends on a condition'],
    ['Lock up the house unless I am out', 'depends on a condition'],
    ['Should I paint L-1?', 'is a question'],
    ['How do I paint L-1?', 'is a question'],
    ['What happens if I paint L-1?', 'is a question'],
    ['Is it possible to paint L-1 later?', 'is a question'],
    ['Could one paint L-1?', 'is a question'],
    ['Why was L-1 painted?', 'is a question'],
    ['Avoid to paint L-1', 'says what not to do'],
    ['Paint L-1 before I come home', 'depends on a condition'],
    ['I did paint L-1', "isn't a request"],
    ['She told me to paint L-1', "isn't a request"],
    ['Cancel the lockup', "asks for something that lockup doesn't do"],
  ])('is not called for %j', async (task, reason) => {
    const run = await runTask(task, tools, results)
    expect(run.calls).toEqual([])
    expect(run.answer).toContain(reason)
  })

  it.each([
    'Paint L-1',
    'Can you paint L-1?',
    'Could you please paint L-1?',
    'Will you paint L-1?',
    'I want to paint L-1',
    'I would like to paint L-1',
    'Please paint L-1 because it was never painted',
  ])('is called for %j', async (task) => {
    expect(await callsOf(task)).toEqual(['paint_lamp'])
  })

  it.each([
    ["List the lamps but don't paint L-1", ['list_lamps']],
    ["Don't paint L-1. Paint L-2", ['paint_lamp']],
    ['Should I paint L-1 and lock up the house?', []],
    ['Rather than paint L-1, paint L-2', ['paint_lamp']],
    ['Wait until Friday and then lock up the house', []],
    ['If it is dark, lock up the house and paint L-1', []],
  ])('is called for the rest of %j', async (task, expected) => {
    expect(await callsOf(task)).toEqual(expected)
  })

  it('takes only the values of its own request', async () => {
    const run = await runTask("Don't paint L-1. Paint L-2", tools, results)
    expect(run.calls).toEqual([['paint_lamp', { lamp_id: 'L-2' }]])
  })

  it('is called when the request says "set"', async () => {
    const update = tool('update_lamp', 'Change the coats of a lamp', {
      properties: { lamp_id: id, coats: { type: 'integer' } },
      required: ['lamp_id', 'coats'],
    })
    const run = await runTask('Set the coats of L-1 to 4', [...tools, update], { ...results, update_lamp: () => 'updated' })
    expect(run.calls).toEqual([['update_lamp', { lamp_id: 'L-1', coats: 4 }]])
  })

  it('is not called for values that it has no argument for', async () => {
    const wipe = tool('disk_wipe', 'Wipe the disk')
    expect((await runTask('Wipe my glasses', [wipe], { disk_wipe: () => 'wiped' })).calls).toEqual([])
    expect((await runTask('Wipe my disk', [wipe], { disk_wipe: () => 'wiped' })).calls).toHaveLength(1)
  })

  it('asks which one when several rows fit', async () => {
    const run = await runTask('List the lamps and paint one of them', tools, results)
    expect(run.calls.map(([name]) => name)).toEqual(['list_lamps'])
    expect(run.answer).toContain('Which of these is meant: L-1, L-2?')
  })

  it.each([
    ['Paint L-1 with 0 coats', 0],
    ['Paint L-1 with -3 coats', -3],
    ['Paint L-1 with 1.5 coats', 1.5],
  ])('is given the number that %j says', async (task, coats) => {
    expect((await runTask(task, tools, results)).calls).toEqual([['paint_lamp', { lamp_id: 'L-1', coats }]])
  })
})

describe('a tool that filters', () => {
  const find = tool('search_lamps', 'Search the lamps of the house', {
    properties: {
      query: { type: 'string' },
      room: { type: 'string', enum: ['kitchens', 'halls'] },
      max_watts: { type: 'number' },
    },
  })
  const rows = [
    { lamp_id: 'L-1', name: 'Sun', watts: 60 },
    { lamp_id: 'L-2', name: 'Moon', watts: 5 },
  ]
  const ask = (task: string) => runTask(task, [find, ...tools.slice(1)], { ...results, search_lamps: () => rows })

  it.each(['Show me some kitchens', 'List kitchens', 'What kitchens do you have?'])('is called for a value: %j', async (task) => {
    expect((await ask(task)).calls).toEqual([['search_lamps', { room: 'kitchens' }]])
  })

  it('is not called for a superlative; the answer names the row', async () => {
    const run = await ask('Find the smallest halls')
    expect(run.calls).toEqual([['search_lamps', { room: 'halls' }]])
    expect(run.answer).toContain('The smallest is Moon')
  })

  it('is not called for everything to find one row to change', async () => {
    expect((await ask('Paint everything')).calls).toEqual([])
  })

  it('counts with the number before a name', async () => {
    const run = await ask('Paint three Sun lamps')
    expect(run.calls.at(-1)).toEqual(['paint_lamp', { lamp_id: 'L-1', coats: 3 }])
  })
})
