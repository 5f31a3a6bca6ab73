/** Tests the limits with models that make thousands of calls, providers with invalid usage, and readers that stop reading. */
import type { LM, Usage } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, call } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import { createReactAgent } from '../react-agent.ts'

describe('calls of one turn', () => {
  const writing = () => {
    const written: number[] = []
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      effect: 'write',
      args: Type.Object({ n: Type.Integer() }),
      execute: ({ n }) => written.push(n),
    })
    return { write, written }
  }
  const calls = (count: number) => Array.from({ length: count }, (_, n) => call('write', { n }, `w${n}`))

  it.each([
    [undefined, 100],
    [3, 3],
  ])('run up to a limit (%s), and the others are reported to the model', async (maxCallsPerTurn, limit) => {
    const { write, written } = writing()
    const lm = scriptedLM([{ toolCalls: calls(10_000) }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [write], signature: answer, maxCallsPerTurn })
    const run = agent.run({ question: '?' })
    const refused: AgentEvent[] = []
    const reading = (async () => {
      for await (const event of run.stream()) if (event.type === 'call_refused') refused.push(event)
    })()
    const { trajectory } = await run
    await reading
    expect(written).toHaveLength(limit)
    expect(refused).toHaveLength(10_000 - limit)
    expect(refused[0]).toMatchObject({ reason: 'too_many_calls', call: { id: `w${limit}` } })
    const results = trajectory.messages.filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(10_000)
    expect(results.at(-1)).toMatchObject({ isError: true, content: expect.stringContaining(`at most ${limit} calls`) })
  })

  it('can be made again in the next turn when they were over the limit', async () => {
    const { write, written } = writing()
    const lm = scriptedLM([{ toolCalls: calls(9) }, { toolCalls: [call('write', { n: 2 }, 'again')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [write], signature: answer, maxCallsPerTurn: 2 })
    await agent.run({ question: '?' })
    expect(written).toEqual([0, 1, 2])
  })

  it.each([0, 1.5, -1])("can't be limited to %d", async (maxCallsPerTurn) => {
    const options = { lm: scriptedLM([]), tools: [], signature: answer, maxCallsPerTurn }
    await expect(createReactAgent(options)).rejects.toMatchObject({ code: 'invalid_options' })
  })
})

describe('usage that a provider reports', () => {
  const { write } = {
    write: defineTool({ name: 'look', description: 'L.', args: Type.Object({}), effect: 'read', execute: () => Math.random() }),
  }
  const spend = async (usage: Usage, options: object = { budget: { tokens: 1_000 } }) => {
    const turn = { toolCalls: [call('look')], usage }
    const lm: LM = { generate: async () => ({ ...turn, text: '' }) }
    const agent = await createReactAgent({ lm, tools: [write], signature: answer, maxSteps: 5, ...options })
    const run = agent.run({ question: '?' })
    const ignored: AgentEvent[] = []
    const reading = (async () => {
      for await (const event of run.stream()) if (event.type === 'usage_ignored') ignored.push(event)
    })().catch(() => {})
    const error = await run.catch((thrown: unknown) => thrown)
    await reading
    return { error, ignored }
  }

  it.each([-5_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '7', null, 2 ** 60])(
    "doesn't count toward a budget when it is %s",
    async (wrong) => {
      const { error, ignored } = await spend({ inputTokens: 400, outputTokens: wrong as number })
      expect(error).toMatchObject({ code: 'budget_exceeded', usage: { inputTokens: 1_200 } })
      expect(ignored).toHaveLength(3)
      expect(ignored[0]).toMatchObject({ step: 1, amounts: ['outputTokens'] })
    },
  )

  it.each(['constructor', '__proto__', 'toString'])('is added up under the name %s', async (name) => {
    const { error } = await spend({ inputTokens: 400, ...JSON.parse(`{"${name}":3}`) })
    expect((error as { usage: Usage }).usage).toEqual(JSON.parse(`{"inputTokens":1200,"${name}":9}`))
  })

  it("doesn't lower the cost when more tokens were cached than read", async () => {
    const prices = { input: 1_000_000, output: 0, cachedInput: 0 }
    const { error } = await spend({ inputTokens: 2, cacheReadTokens: 1_000 }, { prices, budget: { cost: 1 }, maxSteps: 3 })
    expect(error).toMatchObject({ cost: 0 })
    const paid = await spend(
      { inputTokens: 2, cacheReadTokens: 1_000 },
      { prices: { input: 1_000_000, output: 0, cachedInput: 500_000 }, budget: { cost: 3 } },
    )
    expect(paid.error).toMatchObject({ code: 'budget_exceeded' })
  })

  it('costs less when it was read from the cache, and more when it was written to it', async () => {
    const prices = { input: 1_000_000, output: 0, cachedInput: 100_000, cacheWrite: 1_250_000 }
    const usage = { inputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 2 }
    const { error } = await spend(usage, { prices, budget: { cost: 1 }, maxSteps: 3 })
    expect((error as { cost: number }).cost).toBeCloseTo(4 + 4 * 0.1 + 2 * 1.25)
    const tooMany = await spend({ ...usage, cacheWriteTokens: 1_000 }, { prices, budget: { cost: 1 }, maxSteps: 3 })
    expect((tooMany.error as { cost: number }).cost).toBeCloseTo(4 * 0.1 + 6 * 1.25)
  })

  it('is reported only if it is invalid', async () => {
    const { error, ignored } = await spend({ inputTokens: 400, outputTokens: 0 })
    expect([error, ignored]).toMatchObject([{ code: 'budget_exceeded' }, []])
  })
})

describe('an event reader that stops reading', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const chatty = (deltas: number): LM => ({
    generate: async () => ({ text: '', toolCalls: [] }),
    async *stream() {
      for (let n = 0; n < deltas; n++) yield { type: 'text', text: 'x' }
      yield { type: 'finish', finishReason: 'stop' }
    },
  })
  const start = async () => {
    const agent = await createReactAgent({ lm: chatty(5_000), tools: [], signature: answer, stream: true })
    return { run: agent.run({ question: '?' }) }
  }

  it('delays the run for 60 s, then gets the queued events and an error', async () => {
    const { run } = await start()
    const events = run.stream()
    await events.next()
    await vi.advanceTimersByTimeAsync(59_999)
    let isOver = false
    void run.then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect((await run).outputs.answer).toHaveLength(5_000)
    const rest: unknown[] = []
    const reading = (async () => {
      for await (const event of events) rest.push(event)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'reader_stopped' })
    expect(rest).toHaveLength(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may await the run inside its loop', async () => {
    const { run } = await start()
    const reading = (async () => {
      for await (const event of run.stream()) if (event.type === 'delta') return (await run).outputs.answer.length
      return undefined
    })()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await reading).toBe(5_000)
  })

  it('causes backpressure as long as it takes an event now and then', async () => {
    const { run } = await start()
    const events = run.stream()
    for (let n = 0; n < 50; n++) {
      expect(await events.next()).toMatchObject({ done: false })
      await vi.advanceTimersByTimeAsync(50_000)
    }
    let left = 0
    for await (const _ of events) left++
    expect(left).toBeGreaterThan(4_900)
    await run
  })
})
