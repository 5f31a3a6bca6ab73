/** A run must report correctly what happened to calls, replies and records. */
import type { LM, LMResponse } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool, type Effect, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { event, onFakeClock } from '../../test/clock.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call, report } from '../../test/tools.ts'
import { NOT_KEPT, STOPPED } from '../prompts.ts'
import { createReactAgent } from '../react-agent.ts'
import type { Steps } from '../steps/steps.ts'

function payTool(paid: string[], { effect = 'write' as Effect, hangs = false } = {}) {
  return defineTool({
    name: 'pay',
    description: 'Pay.',
    args: Type.Object({ euros: Type.Number() }),
    effect,
    timeoutMs: 5000,
    execute: async (_, { callId }) => {
      if (hangs) return new Promise<string>(() => {})
      paid.push(callId)
      return 'paid'
    },
  })
}

const pays = (...ids: string[]) => ({ toolCalls: ids.map((id) => call('pay', { euros: 5 }, id)) })
const failure = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error) => error,
  )

describe('a call that timed out', () => {
  it.each([
    ['write', ['a']],
    ['destructive', ['a']],
    ['read', []],
    ['idempotent', []],
  ] as const)('of a tool that declares %s leaves these unknown: %j', async (effect, unknown) => {
    const lm = scriptedLM([pays('a'), { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [payTool([], { effect, hangs: true })], signature: answer })
    const { unknownCalls, trajectory } = await onFakeClock(() => agent.run({ question: '?' }))
    expect(unknownCalls.map(({ callId }) => callId)).toEqual(unknown)
    const words = trajectory.messages[2]?.content as string
    expect(words).toContain('did not finish within 5000 ms')
    expect(words.includes('It may have taken effect.')).toBe(unknown.length > 0)
  })

  it('is unknown in a later process too', async () => {
    const steps = new MemorySteps()
    for (let process = 0; process < 2; process++) {
      const tools = [payTool([], { hangs: true })]
      const agent = await createReactAgent({ lm: scriptedLM([pays('a'), { text: 'Done.' }]), tools, signature: answer })
      const { unknownCalls } = await onFakeClock(() => agent.run({ question: '?' }, { steps, id: 'r' }))
      expect(unknownCalls).toMatchObject([{ callId: 'a' }])
    }
  })
})

describe('many identical calls in one turn', () => {
  it.each([
    ['write', 1, 'If you need to repeat it, make it in another turn.'],
    ['destructive', 1, 'If you need to repeat it, make it in another turn.'],
    ['read', 5, 'Use those results.'],
    ['idempotent', 5, 'Use those results.'],
  ] as const)('of a tool that declares %s run %i times', async (effect, times, advice) => {
    const paid: string[] = []
    const ids = Array.from({ length: 8 }, (_, index) => `c${index}`)
    const agent = await createReactAgent({
      lm: scriptedLM([pays(...ids), { text: 'Done.' }]),
      tools: [payTool(paid, { effect })],
      signature: answer,
    })
    const { trajectory } = await agent.run({ question: '?' })
    expect(paid).toEqual(ids.slice(0, times))
    expect(trajectory.messages.filter(({ role }) => role === 'tool')).toHaveLength(8)
    expect(trajectory.messages[9]?.content).toContain(`so it was not run again. ${advice}`)
  })

  it("don't include calls with other arguments", async () => {
    const paid: string[] = []
    const turn = { toolCalls: [call('pay', { euros: 5 }, 'a'), call('pay', { euros: 6 }, 'b')] }
    const agent = await createReactAgent({ lm: scriptedLM([turn, { text: 'Done.' }]), tools: [payTool(paid)], signature: answer })
    await agent.run({ question: '?' })
    expect(paid).toEqual(['a', 'b'])
  })
})

describe('a journal', () => {
  it.each([[{ error: { message: 'overloaded' } }], [{ finishReason: 'error' as const }]])(
    "doesn't record an incomplete reply: %j",
    async (broken) => {
      const steps = new MemorySteps()
      const runWith = async (lm: LM) =>
        (await createReactAgent({ lm, tools: [], signature: answer })).run({ question: '?' }, { steps })
      await expect(runWith(scriptedLM([{ text: '', ...broken }]))).rejects.toMatchObject({ code: 'model_failed' })
      expect((await runWith(scriptedLM([{ text: 'Well.' }]))).outputs).toEqual({ answer: 'Well.' })
    },
  )

  it("doesn't record raw, which may not be plain data", async () => {
    const steps = new MemorySteps()
    const lm: LM = { generate: async () => ({ text: 'Well.', toolCalls: [], raw: { big: 10n } }) }
    const agent = await createReactAgent({ lm, tools: [], signature: answer })
    expect((await agent.run({ question: '?' }, { steps })).outputs).toEqual({ answer: 'Well.' })
  })

  it('records the result of stopWhen', async () => {
    const steps = new MemorySteps()
    let isLate = false
    const run = async () => {
      const lm = scriptedLM([pays('a'), pays('b'), { text: 'Done.' }])
      const agent = await createReactAgent({ lm, tools: [payTool([])], signature: answer, stopWhen: () => isLate })
      return (await agent.run({ question: '?' }, { steps })).termination
    }
    expect(await run()).toBe('finished')
    isLate = true
    expect(await run()).toBe('finished')
  })

  it('loses no result of the turn when it fails, and names the call', async () => {
    const paid: string[] = []
    const steps: Steps = Object.assign(new MemorySteps(), {
      run: async <T>(key: string, execute: () => Promise<T>) => {
        const value = await execute()
        if (key === 'call-b') throw new Error('disk full')
        return value
      },
    })
    const turn = { toolCalls: ['a', 'b', 'c'].map((id, index) => call('pay', { euros: index }, id)) }
    const agent = await createReactAgent({ lm: scriptedLM([turn]), tools: [payTool(paid)], signature: answer })
    const error = await failure(agent.run({ question: '?' }, { steps }))
    expect(paid).toEqual(['a', 'b'])
    expect(error).toMatchObject({ code: 'steps_failed', unknownCalls: [{ callId: 'b' }] })
    expect(error.trajectory.messages.slice(2)).toMatchObject([
      { callId: 'a', content: 'paid' },
      { callId: 'b', content: `Error: ${NOT_KEPT}` },
      { callId: 'c', content: `Error: ${STOPPED}` },
    ])
  })
})

describe("a run that can't pause", () => {
  it('reports what was executed before', async () => {
    const paid: string[] = []
    const ask = { ...payTool(paid), name: 'ask', needsApproval: true }
    const turn = { toolCalls: [call('pay', { euros: 1 }, 'a'), call('ask', { euros: 2 }, 'b')], metadata: { odd: 10n } }
    const lm: LM = { generate: async () => ({ text: '', ...turn }) as unknown as LMResponse }
    const agent = await createReactAgent({ lm, tools: [payTool(paid), ask], signature: answer })
    const error = await failure(agent.run({ question: '?' }))
    expect(error).toMatchObject({ code: 'invalid_paused_run', cause: expect.any(TypeError) })
    expect(error.trajectory.messages.slice(2)).toMatchObject([{ content: 'paid' }, { content: `Error: ${STOPPED}` }])
  })
})

describe('the error of a reply', () => {
  it('ends a task with several outputs at once when the model refused', async () => {
    const lm = scriptedLM([{ text: '', refusal: 'I will not.' }])
    const agent = await createReactAgent({ lm, tools: [], signature: report })
    const error = await failure(agent.run({ question: '?' }))
    expect(error).toMatchObject({ code: 'invalid_output', errors: [{ code: 'refused' }] })
    expect(lm.requests).toHaveLength(1)
  })

  it('is sent to the model when the reply was truncated', async () => {
    const lm = scriptedLM([
      { text: 'Well, the', finishReason: 'length' },
      { toolCalls: [call('submit', { city: 'Oslo', degrees: 3 })] },
    ])
    const agent = await createReactAgent({ lm, tools: [], signature: report })
    await agent.run({ question: '?' })
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The reply was truncated at its length limit.')
  })

  it('is sent to the model for a malformed call next to a valid one', async () => {
    const lm = scriptedLM([{ ...pays('a'), malformedCalls: ['{"name": "pay'] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [payTool([])], signature: answer })
    await agent.run({ question: '?' })
    expect(lm.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', content: 'paid' },
      { role: 'user', content: expect.stringMatching(/A tool call in the reply could not be parsed.*Do not repeat those/s) },
    ])
    expect(lm.requests[1]?.messages.at(-1)?.content).not.toContain('reply again')
  })

  it("is the tool's own when the tool was aborted by something else", async () => {
    const tool = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      effect: 'read',
      execute: () => {
        throw new ToolError('aborted', 'The bank closed the connection.')
      },
    })
    const agent = await createReactAgent({
      lm: scriptedLM([{ toolCalls: [call('pay')] }, { text: 'Done.' }]),
      tools: [tool],
      signature: answer,
    })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]?.content).toBe('Error: The bank closed the connection.')
  })
})

const PRICES = { input: 3, output: 15 }

describe('the error of a run', () => {
  const used = { usage: { inputTokens: 1_000_000, outputTokens: 0 } }
  const agentOf = (lm: LM, budget?: object) =>
    createReactAgent({ lm, tools: [payTool([])], signature: answer, prices: PRICES, budget })

  it.each([
    ['budget_exceeded', { tokens: 10 }],
    ['model_failed', undefined],
  ] as const)('%s has the usage', async (code, budget) => {
    const agent = await agentOf(scriptedLM([{ ...pays('a'), ...used }]), budget)
    expect(await failure(agent.run({ question: '?' }))).toMatchObject({ code, ...used, cost: 3 })
  })

  it('timed_out has the usage', async () => {
    const { reach, reached } = event()
    let asked = 0
    const generate = async (): Promise<LMResponse> => {
      if (asked++ === 0) return { text: '', ...pays('a'), ...used }
      reach()
      return new Promise(() => {})
    }
    const agent = await agentOf({ generate })
    const run = onFakeClock(() => agent.run({ question: '?' }, { timeoutMs: 20 }), reached)
    expect(await failure(run)).toMatchObject({ code: 'timed_out', ...used, cost: 3 })
  })
})
