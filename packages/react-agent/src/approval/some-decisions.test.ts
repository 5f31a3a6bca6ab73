/** Tests turns with several pending calls, some of which are decided. */
import { describe, expect, it } from 'vitest'
import { agentFor, pause, payments } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call } from '../../test/tools.ts'
import { assertDecision } from './read-decision.ts'

describe('decisions about some calls of a turn', () => {
  it('pause the run again for the rest', async () => {
    const { pay, paid } = payments()
    const both = [call('pay', { amount: 1 }, 'p1'), call('pay', { amount: 2 }, 'p2')]
    const { agent } = await agentFor([pay], [{ toolCalls: both }, { text: 'Done.' }])
    const first = await pause(agent.run({ question: '?' }))
    expect(first.pending.map(({ callId }) => callId)).toEqual(['p1', 'p2'])
    const second = await pause(agent.resume(first, { p1: true }))
    expect({ paid: paid.length, pending: second.pending.map(({ callId }) => callId) }).toEqual({ paid: 1, pending: ['p2'] })
    await agent.resume(second, { p2: false })
    expect(paid.map(({ amount }) => amount)).toEqual([1])
  })

  it('are kept: they can be repeated, but not changed', async () => {
    const { pay, paid } = payments()
    const calls = [1, 2, 3].map((amount) => call('pay', { amount }, `p${amount}`))
    const { agent } = await agentFor([pay], [{ toolCalls: calls }, { text: 'Done.' }], { pauses: { key: 'secret' } })
    const first = await pause(agent.run({ question: '?' }))
    const second = await pause(agent.resume(first, { p3: true }))
    expect({ paid, pending: second.pending.map(({ callId }) => callId) }).toEqual({ paid: [], pending: ['p1', 'p2'] })
    const third = await pause(agent.resume(second, { p1: true, p3: { type: 'approve' } }))
    expect({ paid: paid.length, pending: third.pending.map(({ callId }) => callId) }).toEqual({ paid: 1, pending: ['p2'] })
    for (const [callId, other] of [
      ['p1', false],
      ['p3', { type: 'edit', args: { amount: 1 } }],
    ] as const)
      await expect(agent.resume(third, { p2: true, [callId]: other })).rejects.toMatchObject({
        code: 'approval_invalid',
        message: `The call "${callId}" was already decided differently: {"type":"approve"}. That decision remains valid. Nothing was run.`,
      })
    await agent.resume(third, { p1: true, p2: false })
    expect(paid.map(({ amount }) => amount)).toEqual([1, 3])
  })
})

it('follow the approval_requested events of all calls of the turn', async () => {
  const { pay } = payments()
  const both = [call('pay', { amount: 1 }, 'p1'), call('pay', { amount: 2 }, 'p2')]
  const { agent } = await agentFor([pay], [{ toolCalls: both }, { text: 'Done.' }])
  const run = agent.run({ question: '?' }, { approve: () => true })
  const types: string[] = []
  for await (const event of run.stream()) if (event.type.startsWith('approval_')) types.push(event.type)
  expect(types).toEqual(['approval_requested', 'approval_requested', 'approval_decided', 'approval_decided'])
})

describe('decisions about some calls of a turn, in a journal', () => {
  const both = { toolCalls: [call('pay', { amount: 1 }, 'a'), call('pay', { amount: 2 }, 'b')] }

  it('apply when the first paused run is resumed again', async () => {
    const { pay, paid } = payments()
    const steps = new MemorySteps()
    const first = await pause((await agentFor([pay], [both])).agent.run({ question: '?' }, { steps }))
    const second = await pause((await agentFor([pay], [])).agent.resume(first, { b: true }, { steps }))
    expect(second.pending.map(({ callId }) => callId)).toEqual(['a'])
    const other = (await agentFor([pay], [])).agent.resume(first, { b: false }, { steps })
    await expect(other).rejects.toMatchObject({
      code: 'approval_invalid',
      message: expect.stringContaining('{"type":"approve"}'),
    })
    await (await agentFor([pay], [{ text: 'Done.' }])).agent.resume(first, { a: true }, { steps })
    expect(paid.map(({ amount }) => amount)).toEqual([1, 2])
  })

  it("aren't pending when the run is started again", async () => {
    const { pay } = payments()
    const steps = new MemorySteps()
    const first = await pause((await agentFor([pay], [both])).agent.run({ question: '?' }, { steps }))
    await pause((await agentFor([pay], [])).agent.resume(first, { b: true }, { steps }))
    const again = await pause((await agentFor([pay], [])).agent.run({ question: '?' }, { steps }))
    expect(again).toMatchObject({ pending: [{ callId: 'a' }], decided: [{ callId: 'b', decision: { type: 'approve' } }] })
    expect(again.pending).toHaveLength(1)
  })
})

it('assertDecision rejects an invalid decision before it is recorded', () => {
  const decide = (value: unknown, needs: 'approval' | 'result') => () => assertDecision(value, { callId: 'c1', needs })
  const edit = { type: 'edit', args: {} }
  const result = { type: 'result', output: null }
  const reject = { type: 'reject', reason: 'No.' }
  for (const value of [true, edit, reject]) decide(value, 'approval')()
  for (const value of [result, reject]) decide(value, 'result')()
  for (const value of [result, 'yes', { type: 'nonsense' }, undefined])
    expect(decide(value, 'approval')).toThrow('The decision about the call "c1" is invalid.')
  expect(decide(true, 'result')).toThrow('It must be { type: "result", output }')
})
