/** What counts where calls lead nowhere, in a run that paused. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { agentFor, pause, payments } from '../approval/test-payments.ts'
import { call } from '../test-tools.ts'

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

it('LOOP-05: a no by which the run was resumed does not count as a failure of the tool', async () => {
  const { pay, paid } = payments()
  const turns = [1, 2, 3].map((amount) => ({ toolCalls: [call('pay', { amount }, `p${amount}`)] }))
  const { agent } = await agentFor([pay], [...turns, DONE], { maxToolFailures: 2 })
  const first = await pause(agent.run({ question: '?' }))
  const second = await pause(agent.resume(first, { p1: false }))
  const third = await pause(agent.resume(second, { p2: false }))
  await agent.resume(third, { p3: true })
  expect(paid.map(({ amount }) => amount)).toEqual([3])
})

it('LOOP-05: what failed before the run paused counts after it', async () => {
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

it('LOOP-05: a call that came twice under one id counts as in a run that never paused', async () => {
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
