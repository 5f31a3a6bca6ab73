import type { LMRequest } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { callTool, defineTool, deriveTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { aTurn } from '../../test/clock.ts'
import { answer, call, getWeather, noted } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

describe('a run', () => {
  it('calls a tool and answers from its result', async () => {
    const lm = scriptedLM([
      { text: 'Look it up.', toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')] },
      { text: 'It is 21 °C.' },
    ])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    const { outputs, trajectory, termination, steps } = await agent.run({ question: 'How warm is it in Oslo?' })
    expect(outputs).toEqual({ answer: 'It is 21 °C.' })
    expect({ termination, steps }).toEqual({ termination: 'finished', steps: 2 })
    expect(trajectory).toEqual({
      version: 1,
      messages: [
        { role: 'user', content: 'How warm is it in Oslo?' },
        { role: 'assistant', content: 'Look it up.', toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')] },
        { role: 'tool', callId: 'c1', name: 'get_weather', content: '{"city":"Oslo","degrees":21}' },
        { role: 'assistant', content: 'It is 21 °C.' },
      ],
    })
    lm.assertDone()
  })

  it('sends the result of toModelOutput to the model in place of the output', async () => {
    const rows = defineTool({
      name: 'list_rows',
      description: 'Lists rows.',
      args: Type.Object({}),
      execute: () => ({ rows: [1, 2, 3] }),
      toModelOutput: ({ rows }) => `${rows.length} rows`,
    })
    const lm = scriptedLM([{ toolCalls: [call('list_rows')] }, { text: 'Three.' }])
    const agent = await createReactAgent({ lm, tools: [rows], signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]).toMatchObject({ role: 'tool', content: '3 rows' })
  })

  it("doesn't run a tool that requires approval without approve", async () => {
    const log: string[] = []
    const pay = deriveTool(noted('pay', log, 'write'), { needsApproval: true })
    const lm = scriptedLM([{ toolCalls: [call('pay')] }, { text: 'Not paid.' }])
    const agent = await createReactAgent({ lm, tools: [pay], signature: answer })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({ code: 'approval_required' })
    expect(log).toEqual([])
  })

  it('T2-26, T4-26: returns the results of parallel calls in call order, whichever ends first', async () => {
    const log: string[] = []
    const lm = scriptedLM([{ toolCalls: [call('slow'), call('quick')] }, { text: 'Done.' }])
    const untilQuickEnds = async () => {
      while (!log.includes('quick ends')) await aTurn()
    }
    const tools = [noted('slow', log, 'read', untilQuickEnds), noted('quick', log, 'read')]
    const agent = await createReactAgent({ lm, tools, signature: answer })
    await agent.run({ question: '?' })
    expect(log).toEqual(['slow starts', 'quick starts', 'quick ends', 'slow ends'])
    expect(toolMessages(lm.requests[1])).toEqual(['slow', 'quick'])
  })

  it('runs a tool that declares a write after earlier calls and before later ones', async () => {
    const log: string[] = []
    const tools = [noted('look', log, 'read'), noted('write', log, 'write'), noted('undeclared', log)]
    const lm = scriptedLM([{ toolCalls: [call('look'), call('write'), call('undeclared')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer })
    await agent.run({ question: '?' })
    expect(log).toEqual(['look starts', 'look ends', 'write starts', 'write ends', 'undeclared starts', 'undeclared ends'])
  })

  it('T4-27: answers every call of a mixed turn once: valid, invalid arguments, unknown tool, malformed JSON', async () => {
    let runs = 0
    const count = defineTool({
      name: 'count',
      description: 'Count.',
      args: Type.Object({ by: Type.Integer() }),
      execute: () => ++runs,
    })
    const calls = [
      call('count', { by: 1 }, 'a'),
      call('count', { by: 'x' }, 'b'),
      call('cuont', {}, 'c'),
      call('count', '{"by": ', 'd'),
      call('count', 'by one', 'e'),
    ]
    const lm = scriptedLM([{ toolCalls: calls }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [count], signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    const results = trajectory.messages.filter((message) => message.role === 'tool')
    expect(results.map(({ callId, isError = false }) => [callId, isError])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', true],
      ['e', true],
    ])
    expect(results[1]?.content).toBe('Error: Invalid arguments for "count": /by must be integer.')
    expect(results[2]?.content).toBe('Error: There is no tool "cuont". Did you mean "count"? Tools: count.')
    const invalid = 'Error: Invalid arguments for "count": The arguments'
    expect(results[3]?.content).toBe(
      `${invalid} were truncated, or a string in them has no closing quote. Call the tool again, with shorter arguments if needed.`,
    )
    expect(results[4]?.content).toMatch(new RegExp(`^${invalid} contain unquoted text \\(at character 0\\)\\.`))
    expect(runs).toBe(1)
  })

  it('never runs a call that the provider reports as truncated', async () => {
    let runs = 0
    const remove = defineTool({
      name: 'remove',
      description: 'Remove.',
      args: Type.Object({ path: Type.String() }),
      execute: () => ++runs,
    })
    const cut = { ...call('remove', { path: '/srv' }), truncated: true }
    const lm = scriptedLM([{ toolCalls: [cut], finishReason: 'length' }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [remove], signature: answer })
    await agent.run({ question: '?' })
    expect(runs).toBe(0)
  })

  it('T4-31: turns a tool error into an observation without stack or path', async () => {
    const broken = defineTool({
      name: 'broken',
      description: 'Breaks.',
      args: Type.Object({}),
      execute: () => {
        throw new Error('cannot open /srv/data/secret.json')
      },
    })
    const lm = scriptedLM([{ toolCalls: [call('broken')] }, { text: 'It broke.' }])
    const agent = await createReactAgent({ lm, tools: [broken], signature: answer })
    const { trajectory, outputs } = await agent.run({ question: '?' })
    expect(trajectory.messages[2]).toMatchObject({ content: 'Error: "broken" failed: cannot open [path]', isError: true })
    expect(outputs.answer).toBe('It broke.')
  })

  it('gives calls with duplicate ids unique ids', async () => {
    const again = {
      toolCalls: [call('get_weather', { city: 'Oslo' }, 'call_0'), call('get_weather', { city: 'Bergen' }, 'call_0')],
    }
    const lm = scriptedLM([again, again, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    const { trajectory } = await agent.run({ question: '?' })
    const answered = trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
    const asked = trajectory.messages
      .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
      .map(({ id }) => id)
    expect(new Set(answered).size).toBe(4)
    expect(answered).toEqual(asked)
  })

  it('passes run-scoped values to tools only', async () => {
    const whoami = defineTool({
      name: 'whoami',
      description: 'Who is asking?',
      args: Type.Object({}),
      context: Type.Object({ userId: Type.String() }),
      execute: (_, { values }) => `known, ${values.userId.length} letters`,
    })
    const lm = scriptedLM([{ toolCalls: [call('whoami')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [whoami], signature: answer })
    const { trajectory } = await agent.run({ question: '?' }, { context: { userId: 'ada-1815' } })
    expect(trajectory.messages[2]).toMatchObject({ content: 'known, 8 letters' })
    expect(JSON.stringify(lm.requests)).not.toContain('ada-1815')
  })

  it('gives each call an idempotency key that stays the same when the run is repeated with its id', async () => {
    const keys: string[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
    })
    const script = [{ toolCalls: [call('pay', {}, 'c1')] }, { text: 'Done.' }]
    for (const id of ['run-7', 'run-7', undefined]) {
      const agent = await createReactAgent({ lm: scriptedLM(script), tools: [pay], signature: answer })
      await agent.run({ question: '?' }, { id })
    }
    expect(keys.slice(0, 2)).toEqual(['run-7/c1', 'run-7/c1'])
    expect(keys[2]).toMatch(/^[0-9a-f-]{36}\/c1$/)
  })

  it('gives no call the idempotency key of a call inside another call, whatever ids the model chooses', async () => {
    const keys: string[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      args: Type.Object({}),
      execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
    })
    const payTwice = defineTool({
      name: 'pay_twice',
      description: 'Pay twice.',
      args: Type.Object({}),
      execute: (_, context) => callTool(pay, { id: '0', name: 'pay', args: {} }, context),
    })
    const ids = ['c1/0', 'c1%002f0', '..', 'a\r\nb', '\ud800', 'functions.pay:0']
    const toolCalls = [call('pay_twice', {}, 'c1'), ...ids.map((id) => call('pay', {}, id))]
    const lm = scriptedLM([{ toolCalls }, { text: 'Done.' }])
    await (await createReactAgent({ lm, tools: [pay, payTwice], signature: answer, maxRepeats: 10 })).run(
      { question: '?' },
      { id: 'r' },
    )
    expect(keys.sort()).toEqual(
      ['r/%002e%002e', 'r/%d800', 'r/a%000d%000ab', 'r/c1%002f0', 'r/c1%0025002f0', 'r/c1/0', 'r/functions.pay:0'].sort(),
    )
  })

  it('rejects a run with invalid values before the model is called', async () => {
    const context = Type.Object({ userId: Type.String() })
    const whoami = defineTool({ name: 'whoami', description: 'Who?', args: Type.Object({}), context, execute: () => 1 })
    const lm = scriptedLM([])
    const agent = await createReactAgent({ lm, tools: [whoami], signature: answer })
    await expect(agent.run({ question: '?' }, { context: {} })).rejects.toMatchObject({
      code: 'invalid_context',
      message: expect.stringContaining('tool "whoami"'),
    })
    expect(lm.requests).toEqual([])
  })

  it('passes each tool the values that it declares, even if two closed schemas differ', async () => {
    const needs = (name: string, key: string) =>
      defineTool({
        name,
        description: 'Who?',
        args: Type.Object({}),
        context: Type.Object({ [key]: Type.String() }, { additionalProperties: false }),
        execute: () => `${name} ran`,
      })
    const tools = [needs('whoami', 'user'), needs('where', 'tenant')]
    const script = [{ toolCalls: [call('whoami', {}, 'a'), call('where', {}, 'b')] }, { text: 'Done.' }]
    const agent = await createReactAgent({ lm: scriptedLM(script), tools, signature: answer })
    const { trajectory } = await agent.run({ question: '?' }, { context: { user: 'ann', tenant: 't1', other: 1 } })
    expect(trajectory.messages.slice(2, 4)).toMatchObject([{ content: 'whoami ran' }, { content: 'where ran' }])
    await expect(agent.run({ question: '?' }, { context: { user: 'ann' } })).rejects.toMatchObject({
      code: 'invalid_context',
      message: expect.stringMatching(/tool "where".*tenant/),
    })
  })

  it('adds up the tokens that the provider reports', async () => {
    const usage = { inputTokens: 10, outputTokens: 2 }
    const lm = scriptedLM([
      { toolCalls: [call('get_weather', { city: 'Oslo' })], usage },
      { text: 'Done.', usage },
    ])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    expect((await agent.run({ question: '?' })).usage).toEqual({ inputTokens: 20, outputTokens: 4 })
  })

  it('runs two tasks of one agent in parallel without mixing them up', async () => {
    const lm = scriptedLM(Array.from({ length: 4 }, () => answerTo))
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer })
    const [oslo, rome] = await Promise.all([agent.run({ question: 'Oslo' }), agent.run({ question: 'Rome' })])
    expect(oslo.outputs.answer).toBe('{"city":"Oslo","degrees":21}')
    expect(rome.outputs.answer).toBe('{"city":"Rome","degrees":21}')
  })
})

describe('creation', () => {
  it('T1-10, T1-11: fails with one error that names the agent and explains every missing tool', async () => {
    const registry = createRegistry([getWeather], { name: 'town' })
    const missing = registry.tools('get_wether' as 'get_weather', 'nothing' as 'get_weather')
    const creation = createReactAgent({ lm: scriptedLM([]), name: 'guide', tools: [...missing], signature: answer })
    const error = (await creation.catch((thrown: unknown) => thrown)) as Error & { failures: unknown[] }
    expect(error.failures).toHaveLength(2)
    expect(error.message).toContain('❌ Tool not found: get_wether (agent "guide")')
    expect(error.message).toContain('📂 Searched in:\n  - Registry "town": get_weather')
    expect(error.message).toContain('💡 Suggestions:\n  - Did you mean "get_weather"?')
    expect(error.message).toContain('🔧 To fix:')
  })

  it('imports a lazy tool when the agent is created, once for many agents', async () => {
    let imports = 0
    const weather = lazy('get_weather', async () => {
      imports++
      return { default: getWeather }
    })
    const registry = createRegistry([weather])
    expect(imports).toBe(0)
    const create = () => createReactAgent({ lm: scriptedLM([]), tools: registry, signature: answer })
    const agents = await Promise.all(Array.from({ length: 10 }, create))
    expect(imports).toBe(1)
    expect(agents[9]?.tools.get('get_weather')).toBe(getWeather)
  })

  it.each(['submit', 'finish'])('T4-29: rejects a tool named %s', async (name) => {
    const tool = defineTool({ name, description: 'Mine.', args: Type.Object({}), execute: () => 1 })
    const creation = createReactAgent({ lm: scriptedLM([]), tools: [tool], signature: answer })
    await expect(creation).rejects.toMatchObject({ code: 'reserved_name' })
  })
})

function toolMessages(request: LMRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []))
}

/** Replies with a call to the weather tool for the question, then with the call's result. */
function answerTo({ messages }: LMRequest) {
  const last = messages.at(-1)
  return last?.role === 'tool' ? { text: last.content } : { toolCalls: [call('get_weather', { city: last?.content })] }
}
