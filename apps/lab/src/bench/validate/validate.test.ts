/** Tests the subjects that need no peer except AJV: they do the work equally safely, and a subject that doesn't is detected. */
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { SubjectHost } from '../measure/subject-host.ts'
import { BAD_ORDER, ORDER, orderParameters } from './order.ts'
import { validate } from './validate.ts'
import {
  type CallableTool,
  openCalls,
  type ToolDefinition,
  takeFirst,
  takeMany,
  type ValidateSubject,
} from './validate-workload.ts'

const SAMPLE = { cpu: expect.any(Number), wall: expect.any(Number) }
const peers = join(import.meta.dirname, '../../../peers')

async function load(name: string): Promise<ValidateSubject> {
  const subject = validate.subjects.find((candidate) => candidate.name === name)
  if (subject === undefined) throw new Error(`There is no subject ${name}.`)
  return (await subject.load(peers)) as ValidateSubject
}

for (const name of ['by-hand', '@x/tool-core', 'ajv']) {
  it(`${name} executes every good call and no bad one`, async () => {
    for (const kind of ['good', 'bad'] as const) {
      const workload = openCalls(await load(name), kind)
      await workload.verify()
      await workload.run()
      expect(workload.units).toBe(100)
    }
  })

  it(`${name} makes the first call, and calls three of many tools`, async () => {
    for (const sample of [await takeFirst(() => load(name)), await takeMany(() => load(name), 9)]) {
      expect(sample).toEqual(SAMPLE)
    }
  })
}

it('names the subjects and cases of its goals', () => {
  for (const cell of validate.goals.flatMap((goal) => [goal.cell, goal.over])) {
    expect(validate.subjects.map(({ name }) => name)).toContain(cell.subject)
    expect(validate.cases).toContain(cell.case)
  }
})

describe.each(['by-hand', '@x/tool-core'])('%s is safe:', (name) => {
  async function define(execute: ToolDefinition['execute']): Promise<CallableTool> {
    const { defineOrder } = await load(name)
    return defineOrder({ name: 'place_order', description: 'Places.', parameters: orderParameters, most: 0, execute })
  }

  it('the tool gets a copy that it may change', async () => {
    const sent = structuredClone(ORDER)
    const tool = await define(async (args) => {
      const { items, customer } = args as typeof ORDER
      items.pop()
      customer.name = ''
      return {}
    })
    expect((await tool.call(sent)).ok).toBe(true)
    expect(sent).toEqual(ORDER)
  })

  it('arguments nested too deep are refused', async () => {
    let notes: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth++) notes = [notes]
    const tool = await define(async () => ({}))
    const outcome = await tool.call({ ...ORDER, notes })
    expect(outcome.ok ? '' : outcome.error.message).toContain('nested deeper than 512 levels')
  })

  it('inherited properties do not count', async () => {
    const { gift, ...rest } = ORDER
    const tool = await define(async () => ({}))
    const outcome = await tool.call(Object.assign(Object.create({ gift }), rest))
    expect(outcome.ok ? '' : outcome.error.message).toContain('gift')
  })

  it('an error of the tool is a value', async () => {
    const late = await define(() => Promise.reject(new Error('It broke.')))
    const early = await define(() => {
      throw new Error('It broke.')
    })
    for (const tool of [late, early]) {
      const outcome = await tool.call(ORDER)
      expect(outcome.ok ? '' : outcome.error.message).toContain('It broke.')
    }
  })

  it('a tool that never ends times out, and one that ends leaves no timer', async () => {
    const hangs = await define(() => new Promise(() => {}))
    const ends = await define(async () => ({}))
    // The schema is compiled before the fake clock starts.
    await ends.call(ORDER)
    await hangs.call(BAD_ORDER)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      expect((await ends.call(ORDER)).ok).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
      const outcome = hangs.call(ORDER)
      await vi.advanceTimersByTimeAsync(60_000)
      expect((await outcome).ok).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})

/** Creates a subject that does no work. */
function cheat(call: (args: object, definition: ToolDefinition) => ReturnType<CallableTool['call']>): ValidateSubject {
  const defineOrder = (definition: ToolDefinition) => ({ call: (args: object) => call(args, definition) })
  return { defineOrder, defineMany: (definitions) => definitions.map(defineOrder) }
}

const unchecked = cheat(async (args, { execute }) => ({ ok: true, output: await execute(args) }))
const idle = cheat(async () => ({ ok: true, output: { order: 'A-1', items: 3 } }))
const mute = cheat(async () => ({ ok: false, error: { message: 'Something about the priority is wrong.' } }))
const lenient = cheat(async (args) => {
  if ('coupon' in args) return { ok: true, output: {} }
  return { ok: false, error: { message: 'Wrong: quantity, priority.' } }
})
const careless = cheat(async (args, { execute }) => ({ ok: true, output: await execute({ ...args, gift: true }) }))

it('rejects a subject that does not validate', async () => {
  const workload = openCalls(unchecked, 'bad')
  await expect(workload.verify()).rejects.toThrow('an invalid call succeeded')
  await expect(workload.run()).rejects.toThrow('A bad call succeeded')
})

it('rejects a subject that accepts unknown properties', async () => {
  await expect(openCalls(lenient, 'bad').verify()).rejects.toThrow('not in the schema was accepted')
})

it('rejects a subject that does not execute', async () => {
  const workload = openCalls(idle, 'good')
  await expect(workload.verify()).rejects.toThrow('executed 0 times, not once')
  await expect(workload.run()).rejects.toThrow('executed the tool 0 times')
  await expect(takeFirst(async () => idle)).rejects.toThrow('executed 0 times, not once')
  await expect(takeMany(async () => idle, 5)).rejects.toThrow('tool 0 returned {"order":"A-1","items":3}')
})

it('rejects a subject that executes with other arguments', async () => {
  await expect(openCalls(careless, 'good').verify()).rejects.toThrow('"gift":true')
  await expect(takeMany(async () => careless, 5)).rejects.toThrow('tool 0 returned')
})

it('rejects a subject that does not name every wrong field, or refuses a valid call', async () => {
  await expect(openCalls(mute, 'bad').verify()).rejects.toThrow('does not name quantity')
  await expect(openCalls(mute, 'good').verify()).rejects.toThrow('a valid call returned Something')
  await expect(openCalls(mute, 'good').run()).rejects.toThrow('A good call failed')
})

it('reports why a subject cheats', async () => {
  const host = new SubjectHost(async () => openCalls(unchecked, 'bad'))
  expect(await host.answer({ type: 'open', warmUpMs: 1 })).toEqual({
    error: 'The subject did different work: an invalid call succeeded.',
  })
})
