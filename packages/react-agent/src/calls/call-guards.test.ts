/** Tests the counts of repeated and failing calls in a run that was paused. */
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, payments } from '../../test/approval/payments.ts'
import { call } from '../../test/tools.ts'

const lookUp = defineTool({
  name: 'look_up',
  description: 'Look up.',
  args: Type.Object({}),
  effect: 'read',
  execute: () => {
    throw new Error('no line')
  },
})

const DONE = { text: 'Done.' }

it("a rejection in resume doesn't count as a failure of the tool", async () => {
  const { pay, paid } = payments()
  const turns = [1, 2, 3].map((amount) => ({ toolCalls: [call('pay', { amount }, `p${amount}`)] }))
  const { agent } = await agentFor([pay], [...turns, DONE], { maxToolFailures: 2 })
  const first = await pause(agent.run({ question: '?' }))
  const second = await pause(agent.resume(first, { p1: false }))
  const third = await pause(agent.resume(second, { p2: false }))
  await agent.resume(third, { p3: true })
  expect(paid.map(({ amount }) => amount)).toEqual([3])
})

it('failures before a pause still count after it', async () => {
  const { pay } = payments()
  const turns = [
    { toolCalls: [call('look_up', {}, 'l1')] },
    { toolCalls: [call('look_up', {}, 'l2'), call('pay', { amount: 1 }, 'p1')] },
    { toolCalls: [call('look_up', {}, 'l3'), call('pay', { amount: 2 }, 'p2')] },
    { toolCalls: [call('look_up', {}, 'l4')] },
  ]
  const { agent } = await agentFor([pay, lookUp], [...turns, DONE], { maxToolFailures: 3 })
  const first = await pause(agent.run({ question: '?' }))
  const second = await pause(agent.resume(first, { p1: true }))
  expect(second.counted).toEqual(['l1', 'l2', 'p1'])
  const { trajectory } = await agent.resume(second, { p2: true })
  expect(trajectory.messages.at(-2)).toMatchObject({ callId: 'l4', content: expect.stringContaining('failed 3 times in a row') })
})

it('a call that appears twice with one id counts as in a run without a pause', async () => {
  const { pay } = payments()
  const look = call('look_up', {}, 'l1')
  const turns = [{ toolCalls: [look, look] }, { toolCalls: [call('pay', { amount: 1 }, 'p1')] }, { toolCalls: [look] }]
  const run = async (ask: object) => {
    const { agent } = await agentFor([pay, lookUp], [...turns, DONE], { maxToolFailures: 2 })
    return { agent, run: agent.run({ question: '?' }, ask) }
  }
  const whole = await (await run({ approve: () => true })).run
  const { agent, run: pausing } = await run({})
  const resumed = await agent.resume(await pause(pausing), { p1: true })
  expect(resumed.trajectory).toEqual(whole.trajectory)
  expect(resumed.trajectory.messages.at(-2)).toMatchObject({ content: expect.stringContaining('no line') })
})

describe('a read that was repeated before a write', () => {
  /** Creates two tools: `view` returns what `add` changes. */
  const cart = (effects: { view?: Effect; add?: Effect }) => {
    let items = 0
    const tool = (name: string, effect: Effect | undefined, execute: () => unknown) =>
      defineTool({ name, description: name, args: Type.Object({}), effect, execute })
    return [tool('view', effects.view, () => items), tool('add', effects.add, () => ++items && 'added')]
  }
  /** Makes the calls one after another, and returns the observations. */
  const read = async (tools: readonly Tool[], names: readonly string[]) => {
    const turns = names.map((name, index) => ({ toolCalls: [call(name, {}, `c${index}`)] }))
    const { agent } = await agentFor(tools, [...turns, DONE], { maxRepeats: 2, maxSteps: 20 })
    const { trajectory } = await agent.run({ question: '?' })
    return trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
  }

  it.each<[string, { view?: Effect; add?: Effect }]>([
    ['a write', { view: 'read', add: 'write' }],
    ['an idempotent write', { view: 'read', add: 'idempotent' }],
    ['a call to a tool that does not declare its effect', { view: 'read' }],
    ["a write, even if the reading tool doesn't declare its effect", { add: 'destructive' }],
    ['a write, if the tool is idempotent, such as a build', { view: 'idempotent', add: 'write' }],
  ])('may run again after %s', async (_, effects) => {
    expect((await read(cart(effects), ['view', 'view', 'add', 'view', 'view', 'view'])).slice(3, 5)).toEqual(['1', '1'])
  })

  it('is refused again after as many identical results as before', async () => {
    const observations = await read(cart({ view: 'read', add: 'write' }), ['view', 'view', 'add', 'view', 'view', 'view'])
    expect(observations.at(-1)).toContain('made this call 2 times, with the same result')
  })

  it.each<[string, { view?: Effect; add?: Effect }]>([
    ['declare nothing', {}],
    ['read and write', { view: 'read', add: 'write' }],
    ['both write', { view: 'write', add: 'write' }],
    ['both are idempotent', { view: 'idempotent', add: 'idempotent' }],
    ['are idempotent and write', { view: 'idempotent', add: 'write' }],
    ['are idempotent and declare nothing', { view: 'idempotent' }],
  ])("doesn't let two tools that %s reset each other's count forever", async (_, effects) => {
    const names = Array.from({ length: 12 }, (__, index) => (index % 2 === 0 ? 'view' : 'add'))
    const tools = cart(effects).map((tool) => ({ ...tool, execute: () => 'the same' }))
    const observations = await read(tools, names)
    expect(observations.slice(-2)).toEqual([expect.stringMatching(/^Error: /), expect.stringMatching(/^Error: /)])
  })

  it('may run again in a resumed run', async () => {
    const { pay } = payments()
    const [view] = cart({ view: 'read' }) as [Tool]
    const turns = [
      ...['v1', 'v2'].map((id) => ({ toolCalls: [call('view', {}, id)] })),
      { toolCalls: [call('pay', { amount: 1 }, 'p1')] },
      { toolCalls: [call('pay', { amount: 2 }, 'p2')] },
      { toolCalls: [call('view', {}, 'v3')] },
    ]
    const { agent } = await agentFor([pay, view], [...turns, DONE], { maxRepeats: 2 })
    const first = await pause(agent.run({ question: '?' }))
    const second = await pause(agent.resume(first, { p1: true }))
    const { trajectory } = await agent.resume(second, { p2: true })
    expect(trajectory.messages.at(-2)).toMatchObject({ callId: 'v3', content: '0' })
  })
})
