import { describe, expect, it } from 'vitest'
import { runTask, tool } from '../../../test/run-task.ts'

const id = (noun: string) => ({ type: 'string', description: `Id of the ${noun}` })
const count = { type: 'integer', minimum: 1 }
const tools = [
  tool('plant_tree', 'Plant a tree in the park', {
    properties: { tree_id: id('tree'), saplings: count },
    required: ['tree_id'],
  }),
  tool('fell_tree', 'Fell a tree of the park', { properties: { tree_id: id('tree') }, required: ['tree_id'] }),
  tool('inspect_tree', 'Inspect a tree: its height, age and health', {
    properties: { tree_id: id('tree') },
    required: ['tree_id'],
  }),
  tool('list_trees', 'List all trees of the park'),
  tool('list_leases', 'List the benches that the user has leased, and their plaques'),
  tool('lease_bench', 'Lease a bench', { properties: { bench_id: id('bench') }, required: ['bench_id'] }),
  tool('hand_over_bench', 'Return a bench that is leased', { properties: { bench_id: id('bench') }, required: ['bench_id'] }),
  tool('count_fruit', 'Count the fruit that hangs on a branch, by its name', {
    properties: { branch: { type: 'string', description: 'Name of the branch, e.g. "lower left"' } },
    required: ['branch'],
  }),
  tool('remove_leaf', 'Remove one leaf', { properties: { leaf: { type: 'string' } }, required: ['leaf'] }),
  tool('purge_leaves', 'Remove all leaves'),
  tool('day_end', 'End the day: lock every gate of the park', { properties: { gate: { type: 'string' } } }),
]
const callsOf = async (task: string) => (await runTask(task, tools, {})).calls

describe('the tool for a request', () => {
  it.each([
    ['a question with an id', 'How old is the tree T-17?', 'inspect_tree', { tree_id: 'T-17' }],
    ['a question by a word of the description', 'What is the health of T-17?', 'inspect_tree', { tree_id: 'T-17' }],
    ['a wish to be told', 'Tell me more about the tree T-17', 'inspect_tree', { tree_id: 'T-17' }],
    ['a value beside the name of its parameter', 'How much is on the upper branch?', 'count_fruit', { branch: 'upper' }],
    ['a value that is an example', 'Show me the fruit of lower left', 'count_fruit', { branch: 'lower left' }],
    ['what things there are', 'What trees do you have?', 'list_trees', {}],
    ['all of them', 'Tell me all the trees there are', 'list_trees', {}],
    ['what is my own', 'What have I leased?', 'list_leases', {}],
    ['everything', 'Remove everything that you have gathered', 'purge_leaves', {}],
    ['a verb with a particle', 'I want to give B-3 back', 'hand_over_bench', { bench_id: 'B-3' }],
    ['a verb after the colon of a description', 'Lock the gate "north"', 'day_end', { gate: 'north' }],
    ['a wish without a verb', 'I would like 2 saplings for the tree T-17', 'plant_tree', { tree_id: 'T-17', saplings: 2 }],
  ])('is found by %s', async (_, task, name, args) => {
    expect(await callsOf(task)).toEqual([[name, args]])
  })

  it.each([
    'I would not like 2 saplings for the tree T-17',
    'If it rains, I would like 2 saplings for the tree T-17',
    'Would I like 2 saplings for the tree T-17?',
    'I had 2 saplings for the tree T-17',
    'I would like to burn 2 saplings of the tree T-17',
    'Can you sing about my tree T-17?',
    'I would like 2 saplings',
  ])('is undefined rather than one that changes something for %j', async (task) => {
    const names = (await callsOf(task)).map(([name]) => name)
    expect(names.filter((name) => !/^(?:list|inspect|count)_/.test(name))).toEqual([])
  })

  it.each(['Remove all leaves near the pond', 'Remove all leaves of "oak"', 'Remove all leaves of T-17'])(
    'is not one without arguments when the request names some: %j',
    async (task) => {
      expect((await runTask(task, [tool('purge_leaves', 'Remove all leaves')], {})).calls).toEqual([])
    },
  )

  it('is undefined for a wish that two tools could serve', async () => {
    const lend = tool('lend_tree', 'Lend a tree', { properties: { tree_id: id('tree'), saplings: count }, required: ['tree_id'] })
    expect((await runTask('I would like 2 saplings for the tree T-17', [...tools, lend], {})).calls).toEqual([])
  })
})
