import { describe, expect, it } from 'vitest'
import { runTask, tool } from '../../test/run-task.ts'

const text = { type: 'string' }
const pour = tool('pour_water', 'Pour water from one barrel into another barrel', {
  properties: {
    from_barrel: { ...text, description: 'Barrel that the water is taken from, e.g. "north"' },
    to_barrel: { ...text, description: 'Barrel that the water goes to, e.g. "south"' },
    volume: { type: 'number', description: 'Volume in liters' },
  },
  required: ['from_barrel', 'to_barrel', 'volume'],
})
const measure = tool('measure_water', 'Measure the water of a barrel', {
  properties: { barrel: { ...text, description: 'Name of the barrel, e.g. "north"' } },
  required: ['barrel'],
})
const ring = tool('ring_bell', 'Ring a bell', {
  properties: { bell: text, when: { ...text, description: 'When to ring' } },
  required: ['bell', 'when'],
})
const taps = [
  { tap_id: 'T-1', name: 'First rain', flow: 3 },
  { tap_id: 'T-2', name: 'Gutter', flow: 9 },
  { tap_id: 'T-3', name: 'Spring', flow: 5 },
]
const tap = { properties: { tap_id: { ...text, description: 'Id of the tap' } }, required: ['tap_id'] }
const tapTools = [
  tool('list_taps', 'List all taps with their flow'),
  tool('close_tap', 'Close a tap', tap),
  tool('inspect_tap', 'Inspect a tap: its age', tap),
]
const tapResults = {
  list_taps: () => ({ taps }),
  close_tap: (args: object) => ({ closed: args }),
  inspect_tap: ({ tap_id }: { tap_id: string }) => ({ tap_id, age: 4 }),
}

describe('a tool that acts', () => {
  it.each([
    ['half', 'Pour half of north into south'],
    ['a percentage', 'Pour 10% of the water from north to south'],
    ['a percentage in words', 'Pour 10 percent of the water from north to south'],
    ['another unit', 'Pour 5 gallons from north to south'],
    ['a repetition', 'Pour 5 liters from north to south every day'],
    ['a repetition in one word', 'Pour 5 liters from north to south daily'],
    ['a time to come', 'Pour 5 liters from north to south tomorrow'],
    ['a period to come', 'Pour 5 liters from north to south next week'],
    ['a count', 'Pour 3 times 5 liters from north to south'],
  ])('is not called for %s that it cannot take', async (_, task) => {
    const { calls, answer } = await runTask(task, [pour, measure], {})
    expect(calls.filter(([name]) => name === 'pour_water')).toEqual([])
    expect(answer).not.toBe('')
  })

  it.each([
    ['its own unit', 'Pour 5 liters from north to south'],
    ['no unit', 'Pour 5 from north to south'],
    ['the present day', 'Pour 5 liters from north to south today'],
  ])('is called with %s', async (_, task) => {
    const { calls } = await runTask(task, [pour, measure], {})
    expect(calls).toEqual([['pour_water', { from_barrel: 'north', to_barrel: 'south', volume: 5 }]])
  })

  it('is called with a time that it takes', async () => {
    const { calls } = await runTask('Ring the bell "Old Tom" next week', [ring], {})
    expect(calls).toEqual([['ring_bell', { bell: 'Old Tom', when: 'next week' }]])
  })

  it('reports the part that it cannot take', async () => {
    const { answer } = await runTask('Pour 5 liters from north to south every day', [pour], {})
    expect(answer).toContain('"every day"')
  })
})

describe('a row that is chosen by its position', () => {
  it.each([
    ['the first one', 'T-1'],
    ['the second one', 'T-2'],
    ['the last one', 'T-3'],
    ['the one with the highest flow', 'T-2'],
  ])('is %s', async (choice, tap_id) => {
    const { calls } = await runTask(`List the taps and close ${choice}`, tapTools, tapResults)
    expect(calls).toEqual([
      ['list_taps', {}],
      ['close_tap', { tap_id }],
    ])
  })

  it.each(['the second tap', 'the tap with the highest flow'])(
    'belongs to the latest list, even after a call for one of its rows: %s',
    async (choice) => {
      const { calls } = await runTask(`List the taps, inspect the tap T-3 and close ${choice}`, tapTools, tapResults)
      expect(calls.at(-1)).toEqual(['close_tap', { tap_id: 'T-2' }])
    },
  )

  it.each(['the fifth one', 'the first two'])('is undefined for %s', async (choice) => {
    const { calls } = await runTask(`List the taps and close ${choice}`, tapTools, tapResults)
    expect(calls).toEqual([['list_taps', {}]])
  })

  it('is undefined when the list is shorter', async () => {
    const { calls } = await runTask('List the taps and close the second one', tapTools, {
      ...tapResults,
      list_taps: () => ({ taps: taps.slice(0, 1) }),
    })
    expect(calls).toEqual([['list_taps', {}]])
  })
})
