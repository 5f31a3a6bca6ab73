import { defineSignature, Tools } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { callTool, defineTool, deriveTool, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, payments, resultsOf } from '../../test/approval/payments.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import { isModelUsage } from '../model/spending.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from './agent-tool.ts'

const options = { name: 'ask_expert', description: 'Asks an expert.' } as const
const asked = { id: 'c', name: 'ask_expert', args: { question: 'How warm is it?' } }

function expert(script: Parameters<typeof scriptedLM>[0], tools: Parameters<typeof createReactAgent>[0]['tools'] = []) {
  return createReactAgent({ lm: scriptedLM(script), tools, signature: answer, name: 'expert', maxRepairs: 0 })
}

describe('an agent as a tool', () => {
  it('takes the inputs of the signature as args and returns its outputs', async () => {
    const tool = agentTool(
      await expert([{ toolCalls: [call('get_weather', { city: 'Oslo' })] }, { text: '21' }], [getWeather]),
      options,
    )
    expect(tool).toMatchObject({ name: 'ask_expert', description: 'Asks an expert.' })
    expect(tool.arguments).toMatchObject([{ name: 'question', type: 'string', required: true }])
    expect(await callTool(tool, asked)).toMatchObject({ ok: true, output: { answer: '21' } })
  })

  it('validates args and outputs by the library of their schemas', async () => {
    const validate = (value: unknown) => (value === 'odd' ? { issues: [{ message: 'must be even' }] } : { value })
    const text: TypedSchema<string> = {
      '~standard': { version: 1, vendor: 'zod', validate, jsonSchema: { input: () => ({ type: 'string', minLength: 1 }) } },
    } as never
    const lm = scriptedLM([
      { toolCalls: [call('submit', { answer: '', sure: true })] },
      { toolCalls: [call('submit', { answer: 'odd', sure: true })] },
      { toolCalls: [call('submit', { answer: 'even', sure: true })] },
    ])
    const fields = { instructions: '', inputs: { question: text }, outputs: { answer: text, sure: Type.Boolean() } }
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: defineSignature(fields) })
    const tool = agentTool(agent, options)
    expect(await callTool(tool, { ...asked, args: { question: 'odd' } })).toMatchObject({
      error: { code: 'invalid_arguments', message: 'Invalid arguments for "ask_expert": /question must be even.' },
    })
    expect(await callTool(tool, asked)).toMatchObject({ output: { answer: 'even', sure: true } })
    const contents = lm.requests.slice(1).map(({ messages }) => messages.at(-1)?.content)
    expect(contents[0]).toContain('/answer must')
    expect(contents[1]).toContain('/answer must be even')
  })

  it('works within another agent', async () => {
    const inner = agentTool(await expert([{ text: '21' }]), { ...options, effect: 'read' })
    const lm = scriptedLM([{ toolCalls: [call('ask_expert', asked.args)] }, { text: 'It is 21.' }])
    const outer = await createReactAgent({ lm, tools: [inner], signature: answer })
    expect((await outer.run({ question: '?' })).outputs).toEqual({ answer: 'It is 21.' })
    expect(lm.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"answer":"21"}' })
  })

  it('reports the usage of each request, even of failed runs and nested agents', async () => {
    const usage = (inputTokens: number) => ({ usage: { inputTokens } })
    const innermost = agentTool(await expert([{ text: '21', ...usage(1) }]), { ...options, effect: 'read' })
    const asks = { toolCalls: [call('ask_expert', asked.args)] }
    const tool = agentTool(
      await expert(
        [
          { ...asks, ...usage(20) },
          { text: '', ...usage(300) },
        ],
        [innermost],
      ),
      options,
    )
    const updates: unknown[] = []
    expect(await callTool(tool, asked, { progress: (update) => updates.push(update) })).toMatchObject({ ok: false })
    expect(updates).toEqual([20, 1, 300].map((inputTokens) => ({ type: 'model_usage', usage: { inputTokens } })))
    expect(updates.every(isModelUsage)).toBe(true)
    const odd = [undefined, 'x', { type: 'model_usage' }, { type: 'model_usage', usage: { inputTokens: -1 } }]
    expect(odd.some(isModelUsage)).toBe(false)
  })

  it('counts against the budget of the outer run', async () => {
    const used = { usage: { inputTokens: 70 } }
    const inner = agentTool(await expert([{ text: '21', ...used }]), { ...options, effect: 'read' })
    const asks = { toolCalls: [call('ask_expert', asked.args)], ...used }
    const lm = scriptedLM([asks, { text: 'It is 21.', ...used }, asks])
    const outer = await createReactAgent({ lm, tools: [inner], signature: answer })
    expect((await outer.run({ question: '?' })).usage).toEqual({ inputTokens: 210 })
    const again = agentTool(await expert([{ text: '21', ...used }]), { ...options, effect: 'read' })
    const short = await createReactAgent({ lm, tools: [again], signature: answer, budget: { tokens: 100 } })
    await expect(short.run({ question: '?' })).rejects.toMatchObject({ code: 'budget_exceeded' })
    expect(lm.requests).toHaveLength(3)
  })

  it('rejects invalid args without calling its model', async () => {
    const tool = agentTool(await expert([]), options)
    expect(await callTool(tool, { ...asked, args: {} })).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
  })

  it('uses the idempotency key of the call as the id of its run', async () => {
    const keys: string[] = []
    const noting = defineTool({
      name: 'note',
      description: 'Notes.',
      args: Type.Object({}),
      execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
    })
    const tool = agentTool(await expert([{ toolCalls: [call('note', {}, 'n')] }, { text: 'x' }], [noting]), options)
    await callTool(tool, asked, { idempotencyKey: 'run-1/c' })
    expect(keys).toEqual(['run-1/c/n'])
  })

  it('passes on run-scoped values, and reports missing ones before the outer run starts', async () => {
    const whoami = (context: Record<string, unknown>) =>
      defineTool({
        name: 'whoami',
        description: 'Who is asking?',
        args: Type.Object({}),
        context: Type.Object({ user: Type.String() }, context),
        execute: (_, { values }) => values.user,
      })
    for (const context of [{}, { additionalProperties: false }]) {
      const agent = await expert([{ toolCalls: [call('whoami', {}, 'w')] }, { text: 'Ada' }], [whoami(context)])
      const tool = agentTool(agent, options)
      const outer = await createReactAgent({
        lm: scriptedLM([{ toolCalls: [call('ask_expert', asked.args)] }, { text: 'Ada.' }]),
        tools: [tool],
        signature: answer,
      })
      await expect(outer.run({ question: '?' })).rejects.toMatchObject({ code: 'invalid_context' })
      const { trajectory } = await outer.run({ question: '?' }, { context: { user: 'ada' } })
      expect(trajectory.messages).toContainEqual(expect.objectContaining({ role: 'tool', content: '{"answer":"Ada"}' }))
    }
  })

  it('reports a failed run with the name of the agent and the code, but no details', async () => {
    const tool = agentTool(await expert([new Error('connect 10.0.0.7: key sk-123 refused')]), options)
    const result = await callTool(tool, asked)
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'execution_failed',
        reason: 'model_failed',
        message: 'The agent "expert" did not finish its task (model_failed).',
        cause: { code: 'model_failed', message: expect.stringContaining('sk-123') },
      },
    })
  })

  it('is aborted with the call', async () => {
    const controller = new AbortController()
    const hanging = defineTool({
      name: 'hang',
      description: 'Hangs.',
      args: Type.Object({}),
      execute: (_, { signal }) => {
        controller.abort()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const agent = await expert([{ toolCalls: [call('hang')] }, { text: 'never' }], [hanging])
    const result = await callTool(agentTool(agent, options), asked, { signal: controller.signal })
    expect(result).toMatchObject({ ok: false, error: { code: 'aborted' } })
  })

  it('rejects a signature whose inputs require tools', () => {
    const signature = defineSignature({ instructions: '', inputs: { kit: Tools() }, outputs: { answer: Type.String() } })
    const agent = { name: 'expert', signature, tools: new Map(), run: () => Promise.reject(new Error('never')) }
    expect(() => agentTool(agent, options)).toThrow('agentTool("ask_expert"): the input "kit" of the agent "expert" holds tools')
  })

  it('fails without an agent if an inner call requires approval', async () => {
    const { pay, paid } = payments()
    const agent = await expert([{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }], [pay])
    expect(await callTool(agentTool(agent, options), asked)).toMatchObject({
      ok: false,
      error: { code: 'execution_failed', reason: 'approval_required' },
    })
    expect(paid).toEqual([])
  })

  it('can require approval itself', async () => {
    const agent = await expert([{ text: '21' }])
    const whole = deriveTool(agentTool(agent, options), { needsApproval: true })
    const lm = scriptedLM([{ toolCalls: [call('ask_expert', asked.args)] }, { text: 'Done.' }])
    const outer = await createReactAgent({ lm, tools: [whole], signature: answer })
    const paused = await pause(outer.run({ question: '?' }))
    const result = await outer.resume(paused, { id_ask_expert: true })
    expect(resultsOf(result)).toEqual(['{"answer":"21"}'])
  })

  it('rejects an invalid name when it is created', async () => {
    const agent = await expert([])
    expect(() => agentTool(agent, { ...options, name: 'ask expert' })).toThrow('invalid tool name "ask expert"')
  })
})
