/** Runs that are started again with their journal, or resumed, must behave like the original run. */
import type { LM } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool, type Effect, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pause } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import { createReactAgent } from '../react-agent.ts'

const failure = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error) => error,
  )

function payTool(paid: unknown[], { effect = 'write' as Effect, needsApproval = true } = {}) {
  const args = Type.Object({ euros: Type.Number() })
  const execute = ({ euros }: { euros: number }) => {
    paid.push(euros)
    return `Paid ${euros}.`
  }
  return defineTool({ name: 'pay', description: 'Pay.', args, effect, needsApproval, execute })
}

const pay = (id: string, euros: number) => call('pay', { euros }, id)

describe('a run that is resumed', () => {
  it('rejects the journal of another run', async () => {
    const journal = new MemorySteps()
    const paid: number[] = []
    const agentWith = (text: string) =>
      createReactAgent({
        lm: scriptedLM([{ toolCalls: [pay('p1', 5)] }, { text }, { text }]),
        tools: [payTool(paid)],
        signature: answer,
      })
    const other = await agentWith('B')
    await other.run({ question: 'B?' }, { steps: journal, approve: () => true })
    const paused = await pause((await agentWith('A')).run({ question: 'A?' }))
    const error = await failure((await agentWith('A')).resume(paused, { p1: true }, { steps: journal }))
    expect(error).toMatchObject({ code: 'steps_mismatch' })
    expect(paid).toEqual([5])
  })

  it('rejects a journal of another version, and calls nothing', async () => {
    const journal = new MemorySteps()
    const paid: number[] = []
    const agent = await createReactAgent({
      lm: scriptedLM([{ toolCalls: [pay('p1', 5)] }, { text: 'Paid.' }]),
      tools: [payTool(paid)],
      signature: answer,
    })
    await pause(agent.run({ question: '?' }, { steps: journal, id: 'r' }))
    const { version, ...older } = JSON.parse(journal.records.get('start') ?? '')
    journal.records.set('start', JSON.stringify(older))
    journal.decisions.set('approval-p1', true)
    const error = await failure(agent.run({ question: '?' }, { steps: journal, id: 'r' }))
    expect(error).toMatchObject({
      code: 'steps_mismatch',
      message: expect.stringContaining(`version 1; this release reads version ${version}`),
    })
    expect(paid).toEqual([])
  })

  it('keeps its expiry', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    onTestFinished(() => void vi.useRealTimers())
    const options = { tools: [payTool([])], signature: answer, pauses: { expiresInMs: 60_000 } }
    const agent = await createReactAgent({ lm: scriptedLM([{ toolCalls: [pay('p1', 5)] }]), ...options })
    const first = await pause(agent.run({ question: '?' }))
    vi.setSystemTime(5)
    const second = await pause(agent.resume(first, {}))
    expect([first.expiresAt, second.expiresAt]).toEqual(Array(2).fill('1970-01-01T00:01:00.000Z'))
  })

  it('reports what an earlier resume did when it is aborted', async () => {
    const paid: number[] = []
    const lm = scriptedLM([{ toolCalls: [pay('p1', 1), pay('p2', 2)] }])
    const agent = await createReactAgent({ lm, tools: [payTool(paid)], signature: answer })
    const first = await pause(agent.run({ question: '?' }))
    const second = await pause(agent.resume(first, { p1: true }))
    const caller = new AbortController()
    const approve = () => {
      caller.abort()
      return new Promise<boolean>(() => {})
    }
    const error = await failure(agent.resume(second, {}, { approve, signal: caller.signal }))
    expect(error).toMatchObject({ code: 'aborted' })
    expect(error.trajectory.messages.slice(2)).toMatchObject([
      { content: 'Paid 1.' },
      { content: 'Error: This call was not run, because the run had been stopped. Make it again if you still need it.' },
    ])
    expect(paid).toEqual([1])
  })

  it("doesn't refuse an approved call because of a duplicate one", async () => {
    const paid: number[] = []
    const lm = scriptedLM([{ toolCalls: [pay('p1', 1), pay('p1', 1), pay('p2', 1)] }, { text: 'Done.' }])
    const tools = [payTool(paid, { effect: 'idempotent' })]
    const agent = await createReactAgent({ lm, tools, signature: answer, maxRepeats: 2 })
    const paused = await pause(agent.run({ question: '?' }))
    await agent.resume(paused, { p1: true, p2: true })
    expect(paid).toEqual([1, 1])
  })
})

describe('a run that is replayed', () => {
  it("leaves out the same turns, and doesn't summarize again", async () => {
    const steps = new MemorySteps()
    let summaries = 0
    let asked = 0
    const lm: LM = {
      generate: async ({ messages }) => {
        if (messages.length > 6) throw new Error('maximum context length')
        return ++asked > 8 ? { text: 'Done.', toolCalls: [] } : { text: '', toolCalls: [pay(`c${asked}`, asked)] }
      },
    }
    const tools = [payTool([], { needsApproval: false })]
    const summarize = () => `summary ${++summaries}`
    const agent = await createReactAgent({ lm, tools, signature: answer, maxSteps: 20, contextWindow: { summarize } })
    const first = await agent.run({ question: '?' }, { steps, id: 'r' })
    const before = { summaries, keys: [...steps.records.keys()] }
    expect(summaries).toBeGreaterThan(1)
    for (const key of ['model-9', 'call-c8', 'intent-c8']) steps.records.delete(key)
    const again = await agent.run({ question: '?' }, { steps, id: 'r' })
    expect({ summaries, keys: new Set(steps.records.keys()) }).toEqual({ ...before, keys: new Set(before.keys) })
    expect(again.trajectory.messages).toHaveLength(first.trajectory.messages.length)
  })

  it("doesn't execute a tool again that reported that it was aborted", async () => {
    const steps = new MemorySteps()
    let ran = 0
    const push = defineTool({
      name: 'push',
      description: 'Push.',
      args: Type.Object({}),
      effect: 'idempotent',
      execute: () => {
        ran++
        throw new ToolError('aborted', 'gave up')
      },
    })
    const run = async () => {
      const lm = scriptedLM([{ toolCalls: [call('push', {}, 'a')] }, { text: 'Done.' }])
      return (await createReactAgent({ lm, tools: [push], signature: answer })).run({ question: '?' }, { steps, id: 'r' })
    }
    const [first, second] = [await run(), await run()]
    expect(ran).toBe(1)
    expect(second.trajectory).toEqual(first.trajectory)
  })
})

describe('a callback that throws an AgentError', () => {
  const inner = new AgentError('model_failed', 'down', {
    trajectory: { version: 1, messages: [{ role: 'user', content: 'Inner.' }] } as never,
  })
  const fail = async (): Promise<never> => {
    throw inner
  }

  it.each([
    ['stopWhen', { stopWhen: fail }],
    ['summarize', { contextWindow: { summarize: fail, maxTokens: 1 } }],
  ] as const)('is reported as a failure of %s, not of the run', async (name, options) => {
    const usage = { inputTokens: 10 }
    const lm = scriptedLM([{ toolCalls: [pay('a', 1)], usage }, { toolCalls: [pay('b', 1)], usage }, { text: 'Done.' }])
    const tools = [payTool([], { needsApproval: false })]
    const agent = await createReactAgent({ lm, tools, signature: answer, ...options })
    const error = await failure(agent.run({ question: 'Outer.' }, { steps: new MemorySteps() }))
    expect(error).toMatchObject({ code: 'callback_failed', message: `${name} failed: ${inner.message}`, cause: inner })
    expect(error.trajectory.messages[0].content).toBe('Outer.')
  })
})
