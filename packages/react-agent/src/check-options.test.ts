import { readFileSync } from 'node:fs'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { answer } from '../test/tools.ts'
import { limitOf } from './check-options.ts'
import { chainOfThought } from './predict/chain-of-thought.ts'
import { predict } from './predict/predict.ts'
import { createReactAgent } from './react-agent.ts'
import { multiToolSelector } from './selector/multi-tool-selector.ts'
import { agentTool } from './tools/agent-tool.ts'

const create = (options: object = {}) =>
  createReactAgent({ lm: scriptedLM([{ text: 'Yes.' }]), signature: answer, tools: [], ...options })

describe('invalid options', () => {
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
    ['contextWindow.summarize', { contextWindow: { summarize: 'briefly' } }],
    ['budget', { budget: 5 }],
    ['prices', { prices: null }],
    ['prices.input', { prices: { output: 1 } }],
    ['prices.output', { budget: { cost: 1 }, prices: { input: 1, output: Number.NaN } }],
    ['prices.cachedInput', { prices: { input: 1, output: 1, cachedInput: -1 } }],
    ['prices.cacheWrite', { prices: { input: 1, output: 1, cacheWrite: Number.NaN } }],
  ])('are rejected when the agent is created: %s', async (name, options) => {
    const refused = { code: 'invalid_options', message: expect.stringContaining(`createReactAgent: ${name} must be`) }
    await expect(create(options as object)).rejects.toMatchObject(refused)
  })

  it.each([
    ['contextWindow.maxToken', { contextWindow: { maxToken: 1 } }, 'maxTokens, summarize'],
    ['budget.maxTokens', { budget: { maxTokens: 5 } }, 'tokens, inputTokens, outputTokens, cost'],
    ['prices.cached', { prices: { input: 1, output: 1, cached: 1 } }, 'input, output, cachedInput, cacheWrite'],
  ])('are rejected when they are unknown: %s', async (name, options, known) => {
    const message = `createReactAgent: ${name} is unknown. Known options: ${known}.`
    await expect(create(options as object)).rejects.toMatchObject({ code: 'invalid_options', message })
  })

  it.each([
    ['approve', { approve: true }],
    ['steps', { steps: {} }],
    ['signal', { signal: {} }],
    ['signal', { signal: new AbortController() }],
  ])('are rejected when a run starts, before the model is called: %s', async (name, options) => {
    const lm = scriptedLM([])
    const agent = await create({ lm })
    const refused = { code: 'invalid_options', message: expect.stringContaining(`run: ${name} must be`) }
    await expect(agent.run({ question: '?' }, options as object)).rejects.toMatchObject(refused)
    expect(lm.requests).toEqual([])
  })

  it('are rejected when a module is called, before the model is called: signal', async () => {
    const lm = scriptedLM([])
    const options = { signal: new AbortController() } as never
    const tool = defineTool({ name: 'look', description: 'Looks.', args: Type.Object({}), execute: () => null })
    const calls = [
      () => predict({ lm, signature: answer })({ question: '?' }, options),
      () => multiToolSelector({ lm, tools: [tool] })('?', undefined, options),
    ]
    for (const run of calls) await expect(run()).rejects.toThrow(/: signal must be an AbortSignal/)
    expect(lm.requests).toEqual([])
  })

  it('are reported with what to write instead', async () => {
    const create = (tools: unknown) => createReactAgent({ lm: scriptedLM([]), signature: answer, tools: tools as never })
    for (const [tools, words] of [
      [['web_search'], `the string "web_search". Pass the tool itself, or registry.tool('web_search').`],
      [[{ name: 's', tools: [] }], 'a source with an array in place of tools(). Write tools: () => array.'],
    ] as const)
      await expect(create(tools)).rejects.toMatchObject({
        message: `createReactAgent: tools: entry 0 must be a tool, a toolset or lazy(), got ${words}`,
      })
  })

  it('are reported for a toolset that is not in a list', async () => {
    const tools = { name: 'memory', tools: () => [] } as never
    await expect(createReactAgent({ lm: scriptedLM([]), signature: answer, tools })).rejects.toThrow(
      'createReactAgent: tools must be a registry, or a list of tools, such as [toolset], but is an object of another kind.',
    )
  })

  it('are rejected when a run starts', async () => {
    const agent = await create()
    for (const options of [{ budget: { cost: 1 } }, { budget: { maxTokens: 1 } }, { timeoutMs: 0 }])
      await expect(agent.run({ question: '?' }, options)).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it('ignores a timeout that is longer than any timer', async () => {
    const agent = await create({ modelTimeoutMs: 2 ** 40 })
    expect(await agent.run({ question: '?' }, { timeoutMs: 2 ** 40 })).toMatchObject({ outputs: { answer: 'Yes.' } })
  })
})

describe('missing options', () => {
  it.each([
    [undefined, 'missing'],
    [null, 'null'],
    ['gpt-5', '"gpt-5"'],
  ])('are rejected with what to write: %o', async (options, described) => {
    const wrong = options as never
    for (const make of [predict, chainOfThought, multiToolSelector])
      expect(() => make(wrong)).toThrow(
        `${make.name}: the options must be an object, but are ${described}. Write ${make.name}({ lm, … })`,
      )
    await expect(createReactAgent(wrong)).rejects.toThrow(
      `createReactAgent: the options must be an object, but are ${described}.`,
    )
    await expect(create({ lm: options })).rejects.toThrow(
      `createReactAgent: lm must be an LM, e.g. createLM({ wire, baseURL, model }), but is ${described}.`,
    )
  })

  it('are rejected by agentTool, and so is a promise of an agent', async () => {
    const write = 'write agentTool(agent, { name, description }).'
    expect(() => agentTool(create() as never, { name: 'ask', description: 'Asks.' })).toThrow(write)
    const agent = await create()
    expect(() => agentTool(agent, undefined as never)).toThrow(write)
  })
})

it('documents the default of each limit', () => {
  const source = readFileSync(new URL('./options.ts', import.meta.url), 'utf8')
  const documented = [...source.matchAll(/Default: ([\d,]+)\.(?:(?!\*\/).)*?\*\/\s+(max\w+)\?:/gs)]
  expect(documented).toHaveLength(8)
  for (const [, standard, name] of documented)
    expect(`${name}: ${limitOf('test', {}, name as 'maxSteps')}`).toBe(`${name}: ${standard?.replace(',', '')}`)
})
