/** Agents inside agents: their approvals, journal, events and budgets are those of the outer run. */
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import type { RunOptions } from '../options.ts'
import { createReactAgent, type ReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

const usage = (inputTokens: number) => ({ usage: { inputTokens } })

/** A clerk that pays, inside a manager that asks the clerk. */
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
      // The models of the other process are at their second reply.
      await clerkLM.generate({ messages: [] } as never)
      await managers[0]?.generate({ messages: [] } as never)
      const result = await agent.resume(paused, { 'a1.p1': decision })
      expect(resultsOf(result)).toEqual(['{"answer":"Clerk: done."}'])
      expect(paid).toEqual(amounts.map((amount) => ({ amount, key: 'r/a1/p1' })))
      expect(result.usage).toEqual({ inputTokens: 220 })
    }
  })

  it('goes on after a crash with a journal, through three levels', async () => {
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

  it('sees what is left of the outer budget', async () => {
    const { agent, paid, clerkLM } = await company({ budget: { tokens: 105 } })
    const error = await agent.run({ question: '?' }, { approve: () => true }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'budget_exceeded', usage: { inputTokens: 110 } })
    expect([paid.length, clerkLM.requests.length]).toEqual([1, 1])
  })
})
