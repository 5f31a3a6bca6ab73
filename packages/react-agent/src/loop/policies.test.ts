import type { LM, LMRequest } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { aTurn, event, onFakeClock } from '../../test/clock.ts'
import { answer, call, getWeather, noted, report } from '../../test/tools.ts'
import type { AgentEvent } from '../events.ts'
import type { ReactAgentOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

const create = (lm: LM, rest: Partial<ReactAgentOptions<typeof answer>> = {}) =>
  createReactAgent({ lm, tools: [getWeather], signature: answer, ...rest })

/** Creates a model that calls the same tool with the same arguments forever. */
function stubborn(name = 'get_weather', args: object = { city: 'Oslo' }): LM & { requests: LMRequest[] } {
  const requests: LMRequest[] = []
  return {
    requests,
    generate: async (request) => {
      requests.push({ ...request, messages: [...request.messages] })
      if (request.toolChoice === 'none') return { text: 'I give up.', toolCalls: [] }
      const usage = { inputTokens: 100, outputTokens: 10 }
      return { text: '', toolCalls: [call(name, args, `c${requests.length}`)], usage }
    },
  }
}

async function watch<T>(run: { stream(): AsyncIterable<AgentEvent<T>> }): Promise<readonly AgentEvent<T>[]> {
  const events: AgentEvent<T>[] = []
  for await (const event of run.stream()) events.push(event)
  return events
}

describe('a call without progress', () => {
  it('is refused after five identical results, and the run ends with its steps', async () => {
    let runs = 0
    const count = defineTool({ name: 'look', description: 'Look.', args: Type.Object({}), execute: () => ++runs && 'nothing' })
    const agent = await create(stubborn('look', {}), { tools: [count], maxSteps: 8 })
    const run = agent.run({ question: '?' })
    const refused = (await watch(run)).filter(({ type }) => type === 'call_refused')
    const { termination, trajectory, outputs } = await run
    expect({ runs, termination, outputs }).toEqual({ runs: 5, termination: 'max_steps', outputs: { answer: 'I give up.' } })
    expect(refused).toMatchObject([6, 7, 8].map((step) => ({ step, reason: 'repeated_call' })))
    const last = trajectory.messages.filter(({ role }) => role === 'tool').at(-1)
    expect(last).toMatchObject({
      isError: true,
      content: expect.stringContaining('made this call 5 times, with the same result'),
    })
  })

  it('runs as long as its results or arguments differ', async () => {
    let runs = 0
    const count = defineTool({ name: 'look', description: 'Look.', args: Type.Object({}), execute: () => ++runs })
    await (await create(stubborn('look', {}), { tools: [count], maxSteps: 8 })).run({ question: '?' })
    expect(runs).toBe(8)
  })

  it('is refused when its tool failed five times in a row, whatever the arguments', async () => {
    let runs = 0
    const fail = defineTool({
      name: 'fail',
      description: 'Fail.',
      args: Type.Object({ n: Type.Integer() }),
      execute: ({ n }) => {
        runs++
        throw new Error(`no ${n}`)
      },
    })
    const script = Array.from({ length: 7 }, (_, n) => ({ toolCalls: [call('fail', { n }, `c${n}`)] }))
    const agent = await create(scriptedLM([...script, { text: 'No.' }]), { tools: [fail] })
    const { trajectory } = await agent.run({ question: '?' })
    expect(runs).toBe(5)
    const last = trajectory.messages.filter(({ role }) => role === 'tool').at(-1)
    expect(last).toMatchObject({ content: expect.stringContaining('"fail" failed 5 times in a row and can no longer be called') })
  })
})

describe('a budget', () => {
  it.each([
    ['tokens', { tokens: 300 }, 3, 'tokens: 330 of 300'],
    ['tokens of the input', { inputTokens: 200 }, 2, 'inputTokens: 200 of 200'],
    ['tokens of the output', { outputTokens: 15 }, 2, 'outputTokens: 20 of 15'],
    ['money', { cost: 0.0005 }, 3, 'cost: '],
  ])('of %s ends the run before the request that would exceed it', async (_, budget, requests, words) => {
    const lm = stubborn()
    const agent = await create(lm, { budget, prices: { input: 1, output: 10 } })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringContaining(words),
      trajectory: { messages: { length: 1 + 2 * requests } },
    })
    expect(lm.requests).toHaveLength(requests)
  })

  it('has an undefined cost without reported usage, and a cost of 0 for a usage of 0', async () => {
    const costOf = async (usage?: object) => {
      const agent = await create(scriptedLM([{ text: '21', ...(usage && { usage }) }]), { prices: { input: 1, output: 2 } })
      return (await agent.run({ question: '?' })).cost
    }
    expect([await costOf(), await costOf({}), await costOf({ inputTokens: 0 })]).toEqual([undefined, undefined, 0])
    expect(await costOf({ outputTokens: 500_000 })).toBe(1)
  })

  it('of a run replaces the agent’s, and the cost is reported', async () => {
    const agent = await create(stubborn(), { budget: { tokens: 1 }, prices: { input: 1, output: 10 }, maxSteps: 2 })
    const { cost, usage } = await agent.run({ question: '?' }, { budget: {} })
    expect({ cost, usage }).toEqual({ cost: 0.0004, usage: { inputTokens: 200, outputTokens: 20 } })
  })
})

describe('stopWhen', () => {
  it("doesn't delay the end of a run, and is reported with the trajectory when it fails", async () => {
    const { reach, reached } = event()
    const stopWhen = () => {
      reach()
      return new Promise<boolean>(() => {})
    }
    const hanging = await create(stubborn(), { stopWhen })
    const run = onFakeClock(() => hanging.run({ question: '?' }, { timeoutMs: 20 }), reached)
    await expect(run).rejects.toMatchObject({ code: 'timed_out', trajectory: { messages: { length: 3 } } })
    const cause = new RangeError('oops')
    const failing = await create(stubborn(), {
      stopWhen: () => {
        throw cause
      },
    })
    const expected = { code: 'callback_failed', cause, trajectory: { messages: { length: 3 } } }
    await expect(failing.run({ question: '?' })).rejects.toMatchObject(expected)
  })

  it('ends the run with an answer', async () => {
    const agent = await create(stubborn(), { stopWhen: ({ step, messages }) => step === 2 && messages.length === 5 })
    expect(await agent.run({ question: '?' })).toMatchObject({
      termination: 'stopped',
      steps: 2,
      outputs: { answer: 'I give up.' },
    })
  })

  it('ends the run with `invalid_output` when the last answer is invalid, since its steps are not used up', async () => {
    const wrong = { toolCalls: [call('submit', { city: 'Oslo', degrees: -300 }, 's1')], text: 'Some degrees.' }
    const lm = scriptedLM([{ toolCalls: [call('get_weather', { city: 'Oslo' })] }, wrong])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, maxRepairs: 0, stopWhen: () => true })
    const error = await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'invalid_output',
      message: expect.stringMatching(/^The model did not return valid outputs\. .*degrees must be >= -100/s),
      rawOutput: 'Some degrees.',
      trajectory: { messages: { length: 5 } },
    })
    expect(error).not.toHaveProperty('steps')
  })
})

describe('a deadline', () => {
  it('of the run ends it at once, and reports the calls that had started', async () => {
    const { reach, reached } = event()
    const execute = () => {
      reach()
      return new Promise(() => {})
    }
    const hang = defineTool({ name: 'hang', description: 'Hang.', args: Type.Object({}), execute })
    const agent = await create(scriptedLM([{ toolCalls: [call('hang', {}, 'h1')] }]), { tools: [hang] })
    const run = onFakeClock(() => agent.run({ question: '?' }, { timeoutMs: 20 }), reached)
    await expect(run).rejects.toMatchObject({ code: 'timed_out', unknownCalls: [{ callId: 'h1', name: 'hang' }] })
  })

  it("of the model ends a run whose model doesn't reply", async () => {
    const agent = await create({ generate: () => new Promise(() => {}) }, { modelTimeoutMs: 10 })
    await expect(onFakeClock(() => agent.run({ question: '?' }))).rejects.toMatchObject({
      code: 'model_failed',
      message: 'The model did not reply within 10 ms (modelTimeoutMs).',
    })
  })
})

describe('parallel calls', () => {
  it('are limited to maxParallelCalls', async () => {
    let now = 0
    let most = 0
    const work = defineTool({
      name: 'work',
      description: 'Work.',
      args: Type.Object({ n: Type.Integer() }),
      effect: 'read',
      execute: async ({ n }) => {
        most = Math.max(most, ++now)
        await aTurn()
        now--
        return n
      },
    })
    const calls = Array.from({ length: 9 }, (_, n) => call('work', { n }, `w${n}`))
    const agent = await create(scriptedLM([{ toolCalls: calls }, { text: 'Done.' }]), { tools: [work], maxParallelCalls: 3 })
    const { trajectory } = await agent.run({ question: '?' })
    expect(most).toBe(3)
    const texts = trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
    expect(texts).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  })

  it('run once if they are duplicates with one id, and all run if they only share an id', async () => {
    const log: string[] = []
    const [a, b] = [noted('a', log, 'read'), noted('b', log, 'read')]
    const lm = scriptedLM([{ toolCalls: [call('a', {}, 'x'), call('a', {}, 'x'), call('b', {}, 'x')] }, { text: 'Done.' }])
    const { trajectory } = await (await create(lm, { tools: [a, b] })).run({ question: '?' })
    expect(log.filter((entry) => entry.endsWith('starts'))).toEqual(['a starts', 'b starts'])
    const results = trajectory.messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.content]] : []))
    expect(results).toEqual([
      ['x', 'a'],
      ['x_1', expect.stringContaining('repeats an earlier call in this turn: id, name and arguments are the same')],
      ['x_1_1', 'b'],
    ])
  })
})

describe('a result that is too long', () => {
  const text = `${'0123456789'.repeat(9)}012345678😀${'abcdefghij'.repeat(9)}`
  const long = defineTool({ name: 'long', description: 'Long.', args: Type.Object({}), execute: () => text })

  it('is read page by page, and loses nothing', async () => {
    const page = (offset: number) => ({ toolCalls: [call('read_result', { call: 'l1', offset }, `p${offset}`)] })
    const lm = scriptedLM([{ toolCalls: [call('long', {}, 'l1')] }, page(99), page(500), { text: 'Done.' }])
    const agent = await create(lm, { tools: [long], maxResultLength: 100 })
    const { trajectory } = await agent.run({ question: '?' })
    const pages = trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
    expect(pages[0]).toBe(
      `${text.slice(0, 99)}\n[characters 0 to 99 of 191; to read more, call read_result with {"call":"l1","offset":99}]`,
    )
    expect(pages[1]).toBe(text.slice(99))
    expect(pages[2]).toBe('The result has only 191 characters. Use a smaller offset.')
    expect(lm.requests[0]?.tools?.map((tool) => tool.function.name)).not.toContain('read_result')
    expect(lm.requests[1]?.tools?.map((tool) => tool.function.name)).toContain('read_result')
  })

  it('is reported as unknown when read_result names another call', async () => {
    const other = { toolCalls: [call('read_result', { call: 'zz' }, 'p')] }
    const lm = scriptedLM([{ toolCalls: [call('long', {}, 'l1')] }, other, { text: 'Done.' }])
    const { trajectory } = await (await create(lm, { tools: [long], maxResultLength: 100 })).run({ question: '?' })
    expect(trajectory.messages[4]).toMatchObject({ content: 'There is no long result for call "zz". Available results: l1.' })
  })
})
