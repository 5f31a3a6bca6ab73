import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { answer } from '../test/tools.ts'
import { chainOfThought } from './predict/chain-of-thought.ts'
import { predict } from './predict/predict.ts'
import { createReactAgent } from './react-agent.ts'
import { multiToolSelector } from './selector/multi-tool-selector.ts'
import { agentTool } from './tools/agent-tool.ts'

const create = (options: object = {}) =>
  createReactAgent({ lm: scriptedLM([{ text: 'Yes.' }]), signature: answer, tools: [], ...options })

describe('options that are wrong', () => {
  it.each([
    ['maxSteps', { maxSteps: Number.NaN }],
    ['maxParallelCalls', { maxParallelCalls: 0 }],
    ['maxRepeats', { maxRepeats: -1 }],
    ['maxResultLength', { maxResultLength: 0 }],
    ['modelTimeoutMs', { modelTimeoutMs: -5 }],
    ['prices', { budget: { cost: 1 } }],
    ['budget.tokens', { budget: { tokens: '5' } }],
    ['pauses.key', { pauses: { key: '' } }],
    ['pauses.key', { pauses: { key: null } }],
    ['pauses.key', { pauses: { key: {} } }],
    ['adapter', { adapter: {} }],
    ['adapter', { adapter: 'native' }],
    ['stopWhen', { stopWhen: true }],
    ['name', { name: 5 }],
    ['contextWindow', { contextWindow: 60_000 }],
    ['contextWindow.maxTokens', { contextWindow: { maxTokens: Number.NaN } }],
    ['contextWindow.summarise', { contextWindow: { summarise: 'briefly' } }],
    ['contextWindow.maxToken', { contextWindow: { maxToken: 1 } }],
    ['budget', { budget: 5 }],
    ['budget.maxTokens', { budget: { maxTokens: 5 } }],
    ['prices', { prices: null }],
    ['prices.input', { prices: { output: 1 } }],
    ['prices.output', { budget: { cost: 1 }, prices: { input: 1, output: Number.NaN } }],
    ['prices.cachedInput', { prices: { input: 1, output: 1, cachedInput: -1 } }],
    ['prices.cached', { prices: { input: 1, output: 1, cached: 1 } }],
  ])('are refused when the agent is made: %s', async (name, options) => {
    const refused = { code: 'invalid_options', message: expect.stringContaining(`createReactAgent: ${name} is missing or wrong`) }
    await expect(create(options as object)).rejects.toMatchObject(refused)
  })

  it.each([
    ['approve', { approve: true }],
    ['steps', { steps: {} }],
    ['signal', { signal: {} }],
    ['signal', { signal: new AbortController() }],
  ])('are refused when a run begins, before the model is asked: %s', async (name, options) => {
    const lm = scriptedLM([])
    const agent = await create({ lm })
    const refused = { code: 'invalid_options', message: expect.stringContaining(`run: ${name} is missing or wrong`) }
    await expect(agent.run({ question: '?' }, options as object)).rejects.toMatchObject(refused)
    expect(lm.requests).toEqual([])
  })

  it('are refused when a module is called, before the model is asked: signal', async () => {
    const lm = scriptedLM([])
    const options = { signal: new AbortController() } as never
    const tool = defineTool({ name: 'look', description: 'Looks.', args: Type.Object({}), execute: () => null })
    const calls = [
      () => predict({ lm, signature: answer })({ question: '?' }, options),
      () => multiToolSelector({ lm, tools: [tool] })('?', undefined, options),
    ]
    for (const run of calls) await expect(run()).rejects.toThrow(/: signal is missing or wrong/)
    expect(lm.requests).toEqual([])
  })

  it('are told with what to write', async () => {
    const create = (tools: unknown) => createReactAgent({ lm: scriptedLM([]), signature: answer, tools: tools as never })
    for (const [tools, words] of [
      [['web_search'], 'the string "web_search". Pass the tool itself, or registry.tool(name) of a registry.'],
      [[{ name: 's', tools: [] }], 'a source whose tools is an array. Write tools: () => array.'],
    ] as const)
      await expect(create(tools)).rejects.toMatchObject({
        message: `createReactAgent: tools: entry 0 must be a tool, a toolset or lazy(), got ${words}`,
      })
  })

  it('are refused when a run begins', async () => {
    const agent = await create()
    for (const options of [{ budget: { cost: 1 } }, { budget: { maxTokens: 1 } }, { timeoutMs: 0 }])
      await expect(agent.run({ question: '?' }, options)).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it('a deadline that no timer can hold is none', async () => {
    const agent = await create({ modelTimeoutMs: 2 ** 40 })
    expect(await agent.run({ question: '?' }, { timeoutMs: 2 ** 40 })).toMatchObject({ outputs: { answer: 'Yes.' } })
  })
})

describe('options that are none', () => {
  it.each([undefined, null, 'gpt-5'])('are refused with what to write: %o', async (options) => {
    const wrong = options as never
    for (const make of [predict, chainOfThought, multiToolSelector])
      expect(() => make(wrong)).toThrow(`${make.name}: the options are no object. Write ${make.name}({ lm, … })`)
    await expect(createReactAgent(wrong)).rejects.toThrow('createReactAgent: the options are no object')
    await expect(create({ lm: options })).rejects.toThrow('createReactAgent: lm is missing or wrong')
  })

  it('are refused by agentTool, and so is a promise of an agent', async () => {
    const write = 'write agentTool(agent, { name, description })'
    expect(() => agentTool(create() as never, { name: 'ask', description: 'Asks.' })).toThrow(write)
    const agent = await create()
    expect(() => agentTool(agent, undefined as never)).toThrow(write)
  })
})
