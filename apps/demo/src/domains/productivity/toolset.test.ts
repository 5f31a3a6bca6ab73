import { callTool, type Tool, toSpec } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { ProductivityToolset } from './toolset.ts'

/** Calls a tool as a model would, in a run of one user. */
async function call(toolset: ProductivityToolset, name: string, args: Record<string, unknown> = {}, user_id = 'alice') {
  const tool = toolset.tools().find((candidate) => candidate.name === name) as Tool
  const result = await callTool(tool, { id: '1', name, args }, { values: { user_id } })
  return result.ok ? result.output : result.error.message
}

const DENTIST = { title: 'Call the dentist', time: 'tomorrow at 9 am' }

describe('set_reminder', () => {
  const [setReminder] = new ProductivityToolset().tools() as [Tool]

  it('T3-2: has two required strings', () => {
    expect(setReminder.arguments.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['title', 'string', true],
      ['time', 'string', true],
    ])
  })

  it('shows no user to the model', () => {
    expect(JSON.stringify(toSpec(setReminder))).not.toContain('user_id')
  })

  it('keeps the time as it was said', async () => {
    const toolset = new ProductivityToolset()
    expect(await call(toolset, 'set_reminder', { title: ' Water the plants ', time: 'when I am back home' })).toEqual({
      reminder_id: 'REM-1',
      title: 'Water the plants',
      time: 'when I am back home',
    })
  })

  it.each([
    ['an empty title', { title: '', time: 'noon' }, '/title'],
    ['a blank title', { title: '  ', time: 'noon' }, 'The title is empty'],
    ['a blank time', { title: 'Eat', time: '\t' }, 'The time is empty'],
    ['a missing time', { title: 'Eat' }, 'time'],
    ['a title that is too long', { title: 'a'.repeat(201), time: 'noon' }, '/title'],
  ])('refuses %s', async (_, args, message) => {
    const toolset = new ProductivityToolset()
    expect(await call(toolset, 'set_reminder', args)).toContain(message)
    expect(await call(toolset, 'list_reminders')).toEqual([])
  })

  it('refuses the 51st reminder, and accepts it after one was cancelled', async () => {
    const toolset = new ProductivityToolset()
    for (let count = 0; count < 50; count++) await call(toolset, 'set_reminder', DENTIST)
    expect(await call(toolset, 'set_reminder', DENTIST)).toContain('Cancel one first')
    await call(toolset, 'cancel_reminder', { reminder_id: 'REM-7' })
    expect(await call(toolset, 'set_reminder', DENTIST)).toMatchObject({ reminder_id: 'REM-51' })
  })
})

describe('the reminders', () => {
  it('are listed in the order in which they were set, without those that were cancelled', async () => {
    const toolset = new ProductivityToolset()
    for (const title of ['one', 'two', 'three']) await call(toolset, 'set_reminder', { title, time: 'noon' })
    expect(await call(toolset, 'cancel_reminder', { reminder_id: 'REM-2' })).toMatchObject({ title: 'two', cancelled: true })
    expect(await call(toolset, 'list_reminders')).toMatchObject([{ title: 'one' }, { title: 'three' }])
  })

  it.each(['REM-1', 'rem-1', '#1', ' 1 '])('are found by an id written as %j', async (reminder_id) => {
    const toolset = new ProductivityToolset()
    await call(toolset, 'set_reminder', DENTIST)
    expect(await call(toolset, 'cancel_reminder', { reminder_id })).toMatchObject({ reminder_id: 'REM-1' })
  })

  it('never have the number of one that was cancelled', async () => {
    const toolset = new ProductivityToolset()
    await call(toolset, 'set_reminder', DENTIST)
    await call(toolset, 'cancel_reminder', { reminder_id: 'REM-1' })
    expect(await call(toolset, 'cancel_reminder', { reminder_id: 'REM-1' })).toContain('There is no reminder "REM-1"')
    expect(await call(toolset, 'set_reminder', DENTIST)).toMatchObject({ reminder_id: 'REM-2' })
  })

  it.each(['bob', '__proto__', 'constructor'])('of one user are neither seen nor cancelled by %s', async (other) => {
    const toolset = new ProductivityToolset()
    await call(toolset, 'set_reminder', DENTIST)
    expect(await call(toolset, 'list_reminders', {}, other)).toEqual([])
    expect(await call(toolset, 'cancel_reminder', { reminder_id: 'REM-1' }, other)).toContain('There is no reminder')
    expect(await call(toolset, 'set_reminder', DENTIST, other)).toMatchObject({ reminder_id: 'REM-1' })
    expect(await call(toolset, 'list_reminders')).toHaveLength(1)
  })

  it('are kept by one toolset only', async () => {
    await call(new ProductivityToolset(), 'set_reminder', DENTIST)
    expect(await call(new ProductivityToolset(), 'list_reminders')).toEqual([])
  })
})
