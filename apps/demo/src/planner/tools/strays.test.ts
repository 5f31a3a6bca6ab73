import { expect, it } from 'vitest'
import { runTask, tool } from '../../../test/run-task.ts'

const text = { type: 'string' }
const tools = [
  tool('weigh_crate', 'Weigh one crate of the user', { properties: { crate: text }, required: ['crate'] }),
  tool('list_contents', 'List what is in one crate of the user', { properties: { crate: text }, required: ['crate'] }),
  tool('view_garden', 'View the garden: what grows in it'),
  tool('list_tools', 'List the tools of the user'),
  tool('drop_label', 'Delete a label by its text', { properties: { label: text }, required: ['label'] }),
  tool('erase_stamp', 'Delete a stamp', { properties: { stamp_id: text }, required: ['stamp_id'] }),
  tool('find_stamps', 'Find stamps by words', { properties: { query: text } }),
]

it.each([
  ['Show my garden', 'view_garden'],
  ['What is in my garden?', 'view_garden'],
  ['List my tools', 'list_tools'],
])('for %j, calls the tool with that name, not one that would take the name as a value', async (task, name) => {
  expect((await runTask(task, tools, {})).calls).toEqual([[name, {}]])
})

it('still gives a tool the values that name no other tool', async () => {
  expect((await runTask('Weigh my crate "pears"', tools, {})).calls).toEqual([['weigh_crate', { crate: 'pears' }]])
})

it('calls no tool that deletes something other than requested', async () => {
  const { calls } = await runTask('Delete all my tools', tools, {})
  expect(calls.map(([name]) => name).filter((name) => name !== 'list_tools')).toEqual([])
})

it('recalls stored values for "What is my …?"', async () => {
  const memory = [
    tool('notes_keep', 'Store a text under a name', { properties: { name: text, words: text }, required: ['name', 'words'] }),
    tool('notes_recall', 'Retrieve the text under a name', { properties: { name: text }, required: ['name'] }),
  ]
  const { calls } = await runTask('What is my favorite colour?', [...tools, ...memory], {})
  expect(calls).toEqual([['notes_recall', { name: 'favorite colour' }]])
})
