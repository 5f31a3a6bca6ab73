/** Tests agents inside agents: their approvals, journal, events and budgets belong to the outer run. */
import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { deriveTool } from '@x/tool-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { ReactAgent } from '../create-agent.ts'
import type { AgentEvent } from '../events.ts'
import type { RunOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

const usage = (inputTokens: number) => ({ usage: { inputTokens } })

/** Creates a clerk that makes payments, inside a manager that calls the clerk. */
async function company({ budget, levels = 1 }: { budget?: RunOptions['budget']; levels?: number } = {}) {
  const { pay, paid } = payments()
  const clerkLM = scriptedLM([
    { toolCalls: [call('pay', { amount: 5 }, 'p1')], ...usage(10) },
    { text: 'Clerk: done.', ...usage(10) },
  ])
  let agent: ReactAgent<typeof answer> = await createReactAgent({ lm: clerkLM, tools: [pay], signature: answer, name: 'clerk' })
  const managers = []
  for (let level = 1; level <= levels; level++) {
    const lm = scriptedLM([
      { toolCalls: [call('ask', { question: 'Pay 5.' }, 'a1')], ...usage(100) },
      { text: `Manager ${level}: done.`, ...usage(100) },
    ])
    const ask = agentTool(agent, { name: 'ask', description: 'Asks.' })
    agent = await createReactAgent({
      lm,
      tools: [ask],
      signature: answer,
      name: `manager${level}`,
      budget: level === levels ? budget : undefined,
    })
    managers.push(lm)
  }
  return { agent, paid, clerkLM, managers }
}

describe('an agent inside an agent', () => {
  it('pauses the outer run for its approval, and continues in another process', async () => {
    const first = await company()
    const paused = await pause(first.agent.run({ question: '?' }, { id: 'r' }))
    expect(paused.pending).toMatchObject([{ callId: 'a1.p1', parentCallId: 'a1', name: 'pay', args: { amount: 5 } }])
    expect(first.paid).toEqual([])
    for (const [decision, amounts] of [
      [true, [5]],
      [{ type: 'reject', reason: 'no' }, []],
      [{ type: 'edit', args: { amount: 7 } }, [7]],
    ] as const) {
      const { agent, paid, clerkLM, managers } = await company()
      // The models of the other process continue with their second reply.
      await clerkLM.generate({ messages: [] } as never)
      await managers[0]?.generate({ messages: [] } as never)
      const result = await agent.resume(paused, { 'a1.p1': decision })
      expect(resultsOf(result)).toEqual(['{"answer":"Clerk: done."}'])
      expect(paid).toEqual(amounts.map((amount) => ({ amount, key: 'r/a1/p1' })))
      expect(result.usage).toEqual({ inputTokens: 220 })
    }
  })

  it('continues after a crash with a journal, through three levels', async () => {
    const { agent, paid } = await company({ levels: 3 })
    const steps = new MemorySteps()
    const error = await agent.run({ question: '?' }, { id: 'r', steps }).catch((thrown) => thrown)
    expect(error.paused.pending).toMatchObject([{ callId: 'a1.a1.a1.p1', parentCallId: 'a1.a1.a1' }])
    steps.decisions.set(error.paused.pending[0].key, true)
    const { outputs } = await agent.run({ question: '?' }, { id: 'r', steps })
    expect(outputs).toEqual({ answer: 'Manager 3: done.' })
    expect(paid).toEqual([{ amount: 5, key: 'r/a1/a1/a1/p1' }])
  })

  it('asks `approve` of the outer run, whose time does not count', async () => {
    const { agent, paid } = await company({ levels: 2 })
    const asked: unknown[] = []
    const result = await agent.run(
      { question: '?' },
      {
        approve: ({ callId, parentCallId }) => {
          asked.push([callId, parentCallId])
          return true
        },
      },
    )
    expect([asked, paid.length, result.usage]).toEqual([[['a1.a1.p1', 'a1.a1']], 1, { inputTokens: 420 }])
  })

  it('reports its calls in the events of the outer run', async () => {
    const { agent } = await company()
    const run = agent.run({ question: '?' }, { approve: () => true })
    const events: AgentEvent[] = []
    for await (const event of run.stream()) events.push(event)
    const inner = events.filter(({ parentCallId }) => parentCallId === 'a1')
    expect(inner.map(({ type }) => type)).toEqual(['approval_requested', 'approval_decided', 'call_started', 'call_finished'])
    expect(inner[3]).toMatchObject({ observation: { callId: 'a1.p1', text: 'Paid 5.' }, step: 1 })
  })

  it('can use only the rest of the outer budget', async () => {
    const { agent, paid, clerkLM } = await company({ budget: { tokens: 105 } })
    const error = await agent.run({ question: '?' }, { approve: () => true }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'budget_exceeded', usage: { inputTokens: 110 } })
    expect([paid.length, clerkLM.requests.length]).toEqual([1, 1])
  })
})

describe('calls that wait inside', () => {
  const inner = async (name: string) => {
    const { pay, paid } = payments()
    const lm = scriptedLM([{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Paid.' }])
    const agent = await createReactAgent({ lm, tools: [pay], signature: answer, name })
    return { agent, paid }
  }
  const question = { question: 'Pay 5.' }

  it('can be of a tool that requires approval itself', async () => {
    const { agent, paid } = await inner('clerk')
    const ask = deriveTool(agentTool(agent, { name: 'ask', description: 'Asks.' }), { needsApproval: true })
    const lm = scriptedLM([{ toolCalls: [call('ask', question, 'a1')] }, { text: 'Done.' }])
    const outer = await createReactAgent({ lm, tools: [ask], signature: answer })
    const first = await pause(outer.run({ question: '?' }))
    expect(first.pending.map(({ callId }) => callId)).toEqual(['a1'])
    const second = await pause(outer.resume(first, { a1: true }))
    expect([second.pending.map(({ callId }) => callId), second.decided.map(({ callId }) => callId)]).toEqual([['a1.p1'], ['a1']])
    const result = await outer.resume(second, { 'a1.p1': true })
    expect([resultsOf(result), paid.length]).toEqual([['{"answer":"Paid."}'], 1])
  })

  it('wait together if they run in parallel, and a later call of the turn waits for them', async () => {
    const clerks = [await inner('one'), await inner('two')]
    const tools = clerks.map(({ agent }) => agentTool(agent, { name: `ask_${agent.name}`, description: 'Asks.', effect: 'read' }))
    const late = payments()
    const pay = deriveTool(late.pay, { name: 'pay_more' })
    const lm = scriptedLM([
      { toolCalls: [call('ask_one', question, 'a1'), call('ask_two', question, 'a2'), call('pay_more', { amount: 9 }, 'p9')] },
      { text: 'Done.' },
    ])
    const outer = await createReactAgent({ lm, tools: [...tools, pay], signature: answer })
    const first = await pause(outer.run({ question: '?' }))
    expect(first.pending.map(({ callId }) => callId)).toEqual(['p9', 'a1.p1', 'a2.p1'])
    const second = await pause(outer.resume(first, { p9: true, 'a2.p1': true }))
    expect([late.paid, clerks.map(({ paid }) => paid.length)]).toEqual([[], [0, 1]])
    const result = await outer.resume(second, { 'a1.p1': { type: 'reject' } })
    expect([late.paid.length, clerks.map(({ paid }) => paid.length)]).toEqual([1, [0, 1]])
    expect(resultsOf(result)).toEqual(['{"answer":"Paid."}', '{"answer":"Paid."}', 'Paid 9.'])
  })

  it('let a resumed run be decided again if an edit is invalid', async () => {
    const { agent, paid } = await inner('clerk')
    const lm = scriptedLM([{ toolCalls: [call('ask', question, 'a1')] }, { text: 'Done.' }])
    const outer = await createReactAgent({
      lm,
      tools: [agentTool(agent, { name: 'ask', description: 'Asks.' })],
      signature: answer,
    })
    const paused = await pause(outer.run({ question: '?' }))
    const wrong = { type: 'edit', args: { amount: 'x' } } as const
    await expect(outer.resume(paused, { 'a1.p1': wrong })).rejects.toMatchObject({ code: 'approval_invalid' })
    await outer.resume(paused, { 'a1.p1': { type: 'edit', args: { amount: 6 } } })
    expect(paid).toEqual([{ amount: 6, key: expect.stringMatching(/\/a1\/p1$/) }])
  })

  it('report the unknown calls of an inner agent with their ids in the outer run', async () => {
    const steps = new MemorySteps()
    const { pay } = payments()
    const write = deriveTool(pay, { execute: () => new Promise<never>(() => {}) })
    // The reply depends only on the messages, so it is the same in each process.
    const lmOf = (id: string, name: string, args: object): LM => ({
      generate: async ({ messages }) =>
        messages.some(({ role }) => role === 'tool')
          ? { text: 'Done.', toolCalls: [] }
          : { text: '', toolCalls: [call(name, args, id)] },
    })
    const open = async () => {
      const clerk = await createReactAgent({
        lm: lmOf('p1', 'pay', { amount: 5 }),
        tools: [write],
        signature: answer,
        name: 'clerk',
      })
      const ask = agentTool(clerk, { name: 'ask', description: 'Asks.' })
      return createReactAgent({ lm: lmOf('a1', 'ask', question), tools: [ask], signature: answer })
    }
    const death = new AbortController()
    const dying = (await open()).run({ question: '?' }, { id: 'r', steps, approve: () => true, signal: death.signal })
    onTestFinished(async () => {
      death.abort()
      await expect(dying).rejects.toMatchObject({ code: 'aborted' })
    })
    // The process dies during the payment.
    await expect.poll(() => steps.records.has('nested-a1/intent-p1')).toBe(true)
    const ended = await (await open()).run({ question: '?' }, { id: 'r', steps, approve: () => true })
    expect(ended.unknownCalls).toMatchObject([{ callId: 'a1.p1', idempotencyKey: 'r/a1/p1' }])
  })
})
