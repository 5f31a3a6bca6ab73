/** Tests when `approve` is called for calls that tools make, with what, and which events are emitted. */
import { scriptedLM } from '@x/lm/testing'
import { callTool, defineTool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, payments } from '../../test/approval/payments.ts'
import { aTurn, event } from '../../test/clock.ts'
import { add, programTool, runProgram } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

/** A tool of that name whose program makes one call that requires approval. Two of them run in parallel. */
function program(name: string) {
  return { ...programTool(({ call: make }) => make({ name: 'add', args: { a: 1, b: 2 } }), { nested: ['add'] }), name }
}

/** An agent as a tool, which makes one call that requires approval. */
async function clerk(name: string) {
  const lm = scriptedLM([{ toolCalls: [call('add', { a: 1, b: 2 }, 'p1')] }, { text: 'Done.' }])
  const agent = await createReactAgent({ lm, tools: [add([], { needsApproval: true })], signature: answer, name })
  return agentTool(agent, { name, description: 'Adds.' })
}

/** A tool that makes one call that requires approval with `callTool`, after `start`. */
function payer(name: string, timeoutMs?: number, start?: Promise<void>) {
  const { pay } = payments()
  return defineTool({
    name,
    description: 'Pays.',
    args: Type.Object({}),
    timeoutMs,
    execute: async (_, context) => {
      await start
      return callTool(pay, { id: 'p1', name: 'pay', args: { amount: 3 } }, context)
    },
  })
}

const script = [{ toolCalls: [call('one', { question: '?' }, 'c1'), call('two', { question: '?' }, 'c2')] }, { text: 'Done.' }]

describe('approve is called for one call at a time', () => {
  it.each([
    ['programs', async () => [program('one'), program('two'), add([], { needsApproval: true })]],
    ['agents', async () => [await clerk('one'), await clerk('two')]],
    ['tools with callTool', async () => [payer('one'), payer('two')]],
  ])('if %s run in parallel', async (_, tools) => {
    const { agent } = await agentFor((await tools()) as never, script)
    const asked: string[] = []
    let isAsking = false
    const approve = async ({ parentCallId = '' }) => {
      asked.push(isAsking ? 'at the same time' : parentCallId)
      isAsking = true
      for (let turn = 0; turn < 5; turn++) await aTurn()
      isAsking = false
      return true
    }
    await agent.run({ question: '?' }, { approve })
    expect(asked.sort()).toEqual(['c1', 'c2'])
  })

  it('and not for a call whose tool has timed out', async () => {
    const isAsking = event()
    const { agent } = await agentFor([payer('one'), payer('two', 20, isAsking.reached)], script)
    const ended = event()
    const asked: unknown[] = []
    const approve = async ({ parentCallId }: { readonly parentCallId?: string | undefined }) => {
      asked.push(parentCallId)
      isAsking.reach()
      await ended.reached
      return true
    }
    const run = agent.run({ question: '?' }, { approve })
    for await (const each of run.stream()) if (each.type === 'call_finished' && each.observation.callId === 'c2') ended.reach()
    const { trajectory } = await run
    expect(asked).toEqual(['c1'])
    expect(trajectory.messages[3]).toMatchObject({ callId: 'c2', content: expect.stringContaining('20 ms') })
  })

  it('and not for the next call after an abort', async () => {
    const { agent } = await agentFor([program('one'), program('two'), add([], { needsApproval: true })] as never, script)
    const asked = event()
    const caller = new AbortController()
    let calls = 0
    const approve = () => {
      calls++
      asked.reach()
      return new Promise<boolean>(() => {})
    }
    const run = agent.run({ question: '?' }, { approve, signal: caller.signal })
    await asked.reached
    caller.abort()
    await expect(run).rejects.toMatchObject({ code: 'aborted' })
    await aTurn()
    expect(calls).toBe(1)
  })
})

it.each([['approve'], ['yes'], [{ type: 'reject' }]])('a call made with callTool is refused by the answer %j', async (given) => {
  const { agent } = await agentFor([payer('one')], [{ toolCalls: [call('one', {}, 'c1')] }, { text: 'Done.' }])
  const { trajectory } = await agent.run({ question: '?' }, { approve: () => given as never })
  expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content: expect.stringContaining('"ok":false') })
})

it("a call made with callTool is refused without approve, and the model reads that approval can't be requested", async () => {
  const { pay } = payments()
  const one = defineTool({
    name: 'one',
    description: 'Pays.',
    args: Type.Object({}),
    async execute(_, context) {
      const result = await callTool(pay, { id: 'p1', name: 'pay', args: { amount: 3 } }, context)
      return result.ok ? 'Paid.' : result.error.message
    },
  })
  const { agent } = await agentFor([one], [{ toolCalls: [call('one', {}, 'c1')] }, { text: 'Done.' }])
  const { trajectory } = await agent.run({ question: '?' })
  expect(trajectory.messages[2]).toMatchObject({ callId: 'c1', content: expect.stringContaining("can't be requested here") })
})

it('approve gets the parentCallId of a call made with callTool', async () => {
  const outer = payer('outer')
  const asked: unknown[] = []
  const approve = ({ callId, parentCallId }: { readonly callId: string; readonly parentCallId?: string | undefined }) => {
    asked.push([callId, parentCallId])
    return true
  }
  const lm = scriptedLM([{ toolCalls: [call('outer', {}, 'o1')] }, { text: 'Done.' }])
  const inner = await createReactAgent({ lm, tools: [outer], signature: answer, name: 'inner' })
  const { agent } = await agentFor(
    [outer, agentTool(inner, { name: 'ask', description: 'Asks.' })],
    [{ toolCalls: [call('outer', {}, 'c1')] }, { toolCalls: [call('ask', { question: '?' }, 'a1')] }, { text: 'Done.' }],
  )
  await agent.run({ question: '?' }, { approve })
  expect(asked).toEqual([
    ['p1', 'c1'],
    ['a1.p1', 'a1.o1'],
  ])
})

it('a call that has ended is not shown for approval again when its program is resumed', async () => {
  const body = async ({ call: make }: ToolContext) => {
    await make({ name: 'add', args: { a: 1, b: 2 } })
    await make({ name: 'add', args: { a: 3, b: 4 } })
  }
  const { agent, result } = await runProgram(body, [add([], { needsApproval: true })])
  const second = await pause(agent.resume(await pause(result), { 'c1.1': true }))
  const events: AgentEvent[] = []
  const run = agent.resume(second, { 'c1.2': true })
  for await (const each of run.stream()) if (each.parentCallId === 'c1') events.push(each)
  expect(events.map((each) => [each.type, 'call' in each && 'callId' in each.call ? each.call.callId : ''])).toEqual([
    ['approval_decided', ''],
    ['call_started', ''],
    ['call_finished', ''],
  ])
})

it('calls of an inner agent that were rejected, malformed or refused are not reported again when its run is resumed', async () => {
  const script = [
    { toolCalls: [call('pay', { amount: 1 }, 'p1'), { id: 'm1', name: 'pay', arguments: '{' }] },
    { toolCalls: ['p2', 'r1'].map((id) => call(id === 'r1' ? 'unlisted' : 'pay', { amount: 2 }, id)) },
    { toolCalls: [call('pay', { amount: 3 }, 'p3')] },
    { text: 'Done.' },
  ]
  const { agent: inner } = await agentFor([payments().pay], script, { name: 'clerk', maxCallsPerTurn: 1 })
  const ask = agentTool(inner, { name: 'ask', description: 'Asks.' })
  const { agent } = await agentFor([ask], [{ toolCalls: [call('ask', { question: '?' }, 'a1')] }, { text: 'Done.' }])
  let paused = await pause(agent.run({ question: '?' }))
  const reported: (readonly string[])[] = []
  for (const [id, decision] of [
    ['a1.p1', false],
    ['a1.p2', false],
    ['a1.p3', true],
  ] as const) {
    const run = agent.resume(paused, { [id]: decision })
    const events: string[] = []
    const reading = (async () => {
      for await (const event of run.stream()) if (event.type === 'call_finished') events.push(event.callId)
    })()
    if (id === 'a1.p3') await run
    else paused = await pause(run)
    await reading.catch(() => {})
    reported.push(events)
  }
  // The malformed call was reported before the first pause.
  expect(reported).toEqual([['a1.p1'], ['a1.p2', 'a1.r1'], ['a1.p3', 'a1']])
})

it("the decision about a tool's call is reported once, even if the process crashes before the call is recorded", async () => {
  const steps = new MemorySteps()
  let hasCrashed = false
  const crashing = {
    run: <T>(key: string, execute: () => Promise<T>) =>
      steps.run(key, async () => {
        const value = await execute()
        if (!key.endsWith('call-c1.1') || hasCrashed) return value
        hasCrashed = true
        throw new Error('The disk is full.')
      }),
    wait: (key: string) => steps.wait(key),
  }
  const decided: string[] = []
  const ends: string[] = []
  const first = { toolCalls: [call('one', { question: '?' }, 'c1')] }
  for (const turns of [[first], [], [{ text: 'Done.' }]]) {
    const { agent } = await agentFor([program('one'), add([], { needsApproval: true })] as never, turns)
    try {
      for await (const each of agent.run({ question: '?' }, { steps: crashing }).stream())
        if (each.type === 'approval_decided') decided.push(each.callId)
      ends.push('done')
    } catch (error) {
      ends.push((error as Error).message)
    }
    steps.decisions.set('nested-c1/approval-c1.1', true)
  }
  expect(ends).toEqual([expect.stringContaining('paused'), expect.stringContaining('The disk is full.'), 'done'])
  expect(decided).toEqual(['c1.1'])
})
