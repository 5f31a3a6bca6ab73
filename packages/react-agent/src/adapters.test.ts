import {
  type Adapter,
  chatAdapter,
  customAdapter,
  defineSignature,
  jsonAdapter,
  nativeAdapter,
  setDefaultAdapter,
  ToolCalls,
  Tools,
  textAdapter,
} from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry } from '@x/registry'
import type { ToolCall } from '@x/tool-core'
import { Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { agentFor, pause, payments, resultsOf } from '../test/approval/payments.ts'
import { hermes } from '../test/hermes.ts'
import { answer, call, getWeather, report } from '../test/tools.ts'
import { predict } from './predict/predict.ts'
import { createReactAgent } from './react-agent.ts'

const lines = customAdapter({
  name: 'lines',
  formatInstructions: ({ outputs }) => `One line for each of: ${Object.keys(outputs).join(', ')}.`,
  parse: ({ outputs }, text) => Object.fromEntries(text.split('\n').map((line, index) => [Object.keys(outputs)[index], line])),
})
const systemOf = (lm: ReturnType<typeof scriptedLM>) => lm.requests[0]?.messages[0]?.content

describe('an adapter with a faulty parse', () => {
  const WRONG: readonly [string, () => unknown, string][] = [
    ['returns nothing', () => undefined, 'must return { outputs, errors, response }'],
    ['returns a promise', async () => ({ outputs: {}, errors: [], response: { text: '', toolCalls: [] } }), 'must return'],
    ['returns no outputs', () => ({ errors: [], response: { text: '', toolCalls: [] } }), 'must return'],
    ['returns no errors', () => ({ outputs: {}, response: { text: '', toolCalls: [] } }), 'must return'],
    ['returns no response', () => ({ outputs: {}, errors: [] }), 'must return'],
    [
      'throws',
      () => {
        throw new Error('no regex matched')
      },
      'failed: no regex matched',
    ],
  ]

  it.each(WRONG)('fails the run with its trajectory: it %s', async (_, parse, words) => {
    const { pay } = payments()
    let replies = 0
    const adapter = {
      ...nativeAdapter,
      name: 'own',
      parse: (...reply: never[]) => {
        return replies++ === 0 ? (nativeAdapter.parse as (...reply: never[]) => never)(...reply) : (parse() as never)
      },
    }
    const { agent } = await agentFor([pay], [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }], { adapter })
    const error = await agent.run({ question: '?' }, { approve: () => true }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'callback_failed',
      message: expect.stringContaining(`parse of the adapter "own" ${words}`),
    })
    expect(resultsOf(error as never)).toEqual(['Paid 5.'])
  })

  it.each(WRONG)('fails the prediction: it %s', async (_, parse, words) => {
    const adapter = { ...nativeAdapter, name: 'own', parse: parse as never }
    const asked = predict({ lm: scriptedLM([{ text: 'Done.' }]), signature: answer, adapter })({ question: '?' })
    await expect(asked).rejects.toMatchObject({ code: 'callback_failed', message: expect.stringContaining(words) })
  })
})

describe('predict', () => {
  it('T4-19: works with an adapter of two functions and uses its texts for repairs', async () => {
    const lm = scriptedLM([{ text: 'Oslo' }, { text: 'Oslo\n21' }])
    expect(await predict({ lm, signature: report, adapter: lines })({ question: '?' })).toEqual({ city: 'Oslo', degrees: 21 })
    expect(systemOf(lm)).toBe('One line for each of: city, degrees.')
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The field "degrees" is missing. Add it to the reply.')
  })

  it("T4-20: doesn't call the model when the adapter returns no instructions", async () => {
    const lm = scriptedLM([])
    const adapter = customAdapter({ name: 'broken', formatInstructions: () => undefined as never, parse: () => ({}) })
    await expect(predict({ lm, signature: report, adapter })({ question: '?' })).rejects.toMatchObject({
      name: 'AdapterError',
      code: 'invalid_instructions',
    })
    expect(lm.requests).toEqual([])
  })

  it("T4-5: doesn't call the model when an input for a tool isn't a tool", async () => {
    const lm = scriptedLM([])
    const inputs = { question: Type.String(), tools: Tools() }
    const plan = defineSignature({ instructions: '', inputs, outputs: { tool_calls: ToolCalls() } })
    const tools = [getWeather, { name: 'bare' } as never]
    await expect(predict({ lm, signature: plan })({ question: '?', tools })).rejects.toMatchObject({
      code: 'invalid_tool_spec',
      field: 'tools',
      path: '/tools/1',
    })
    expect(lm.requests).toEqual([])
  })

  it('T4-23: counts malformed calls and missing outputs together as repairs', async () => {
    const inputs = { question: Type.String(), tools: Tools() }
    const outputs = { reasoning: Type.String(), score: Type.Integer(), tool_calls: ToolCalls() }
    const plan = defineSignature({ instructions: '', inputs, outputs })
    const lm = scriptedLM([{ toolCalls: [call('get_weather', '{bad json')] }, { text: 'no markers' }, { text: 'not asked for' }])
    await expect(predict({ lm, signature: plan, maxRepairs: 1 })({ question: '?', tools: [getWeather] })).rejects.toMatchObject({
      code: 'invalid_output',
      rawOutput: 'no markers',
    })
    expect(lm.requests).toHaveLength(2)
  })

  it.each([chatAdapter, jsonAdapter, nativeAdapter])('accepts a signature written as text: $name', async (adapter) => {
    const lm = scriptedLM([
      { text: adapter.name === 'json' ? '{"mood":"good","score":5}' : '[[ ## mood ## ]]\ngood\n[[ ## score ## ]]\n5' },
    ])
    const judge = predict({ lm, adapter, signature: defineSignature(`review -> mood: 'good' | 'bad', score: integer`) })
    expect(await judge({ review: 'Fine.' })).toEqual({ mood: 'good', score: 5 })
  })
})

describe('an agent', () => {
  it.each([chatAdapter, jsonAdapter, lines])('calls tools and ends with text: $name', async (adapter) => {
    const lm = scriptedLM([{ toolCalls: [call('get_weather', { city: 'Oslo' })] }, { text: '21 degrees.' }])
    const agent = await createReactAgent({ lm, signature: answer, tools: [getWeather], adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21 degrees.' })
    expect(lm.requests[1]).not.toHaveProperty('responseFormat')
  })
})

describe('the adapter of a module', () => {
  afterEach(() => setDefaultAdapter(undefined))

  it('T4-25: is its own adapter, or else the default of the process', async () => {
    setDefaultAdapter(lines)
    const [byDefault, byOption, ofAgent] = [
      scriptedLM([{ text: 'Hi.' }]),
      scriptedLM([{ text: 'Hi.' }]),
      scriptedLM([{ text: 'Hi.' }]),
    ]
    await predict({ lm: byDefault, signature: answer })({ question: '?' })
    await predict({ lm: byOption, signature: answer, adapter: nativeAdapter })({ question: '?' })
    const agent = await createReactAgent({ lm: ofAgent, signature: answer, tools: [] })
    await agent.run({ question: '?' })
    expect(systemOf(byDefault)).toContain('One line for each of: answer.')
    expect(systemOf(byOption)).not.toContain('One line')
    expect(systemOf(ofAgent)).toContain('One line for each of: thought')
  })

  it('T4-25: is chosen when the module is created', async () => {
    const lm = scriptedLM([{ text: 'Hi.' }])
    const ask = predict({ lm, signature: answer })
    setDefaultAdapter(lines)
    await ask({ question: '?' })
    expect(systemOf(lm)).not.toContain('One line')
  })
})

describe('the examples of a task', () => {
  const examples = [{ inputs: { question: 'Warm in Rome?' }, outputs: { answer: 'Yes.' } }]

  it('are shown to the model as final turns, with text or with submit', async () => {
    const one = defineSignature({ ...answer, inputs: { question: Type.String() }, outputs: { answer: Type.String() }, examples })
    const lm = scriptedLM([{ text: 'No.' }])
    await (await createReactAgent({ lm, signature: one, tools: [] })).run({ question: 'Warm in Oslo?' })
    expect(lm.requests[0]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Warm in Rome?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Warm in Oslo?' },
    ])
    const two = defineSignature({
      instructions: '',
      inputs: { question: Type.String() },
      outputs: { answer: Type.String(), sure: Type.Boolean() },
      examples: [{ inputs: { question: 'Warm in Rome?' }, outputs: { answer: 'Yes.', sure: true } }],
    })
    const submitting = scriptedLM([{ toolCalls: [call('submit', { answer: 'No.', sure: true }, 's1')] }])
    await (await createReactAgent({ lm: submitting, signature: two, tools: [] })).run({ question: 'Warm in Oslo?' })
    expect(submitting.requests[0]?.messages[2]).toMatchObject({
      role: 'assistant',
      toolCalls: [{ name: 'submit', arguments: '{"answer":"Yes.","sure":true}' }],
    })
  })
})

describe('a third-party adapter', () => {
  const broken = [
    call('get_weather', '{"city', 'a'),
    call('get_weather', { city: 'Oslo' }, 'b'),
    call('get_weather', '{"city', 'c'),
  ]
  type Parse = typeof nativeAdapter.parse
  const withParse = (change: (parsed: ReturnType<Parse>) => ReturnType<Parse>) => {
    return { ...nativeAdapter, parse: ((...given) => change(nativeAdapter.parse(...given) as never)) as Parse }
  }
  const answersOf = async (adapter: typeof nativeAdapter) => {
    const lm = scriptedLM([{ toolCalls: broken }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, signature: answer, tools: [getWeather], adapter })
    const { trajectory } = await agent.run({ question: '?' })
    return trajectory.messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.isError ?? false]] : []))
  }

  it('may return copies of the calls, and each gets its own answer', async () => {
    const copies = withParse((parsed) => ({ ...parsed, errors: structuredClone(parsed.errors) }))
    const expected = [
      ['a', true],
      ['b', false],
      ['c', true],
    ]
    expect(await answersOf(nativeAdapter)).toEqual(expected)
    expect(await answersOf(copies)).toEqual(expected)
  })

  it('may lose an error, and every call still gets an answer', async () => {
    const answers = await answersOf(withParse((parsed) => ({ ...parsed, errors: [] })))
    expect(answers.map(([id]) => id)).toEqual(['a', 'b', 'c'])
  })
})

describe('an agent whose adapter parses calls differently', () => {
  type Read = { tool_calls?: readonly ToolCall[] }
  const reading = (change: (outputs: Read) => Read): Adapter => ({
    ...nativeAdapter,
    parse: (signature, response, context) => {
      const parsed = nativeAdapter.parse(signature, response, context)
      return { ...parsed, outputs: change(parsed.outputs as Read) as typeof parsed.outputs }
    },
  })
  const only = (isRead: (call: ToolCall) => boolean) =>
    reading(({ tool_calls, ...outputs }) => ({ ...outputs, ...(tool_calls && { tool_calls: tool_calls.filter(isRead) }) }))

  it('asks for approval of the tool that the adapter parsed', async () => {
    const { pay, paid } = payments()
    const adapter = reading(({ tool_calls = [], ...outputs }) => ({
      ...outputs,
      tool_calls: tool_calls.map((each) => ({ ...each, name: each.name.replace('functions.', '') })),
    }))
    const script = [{ toolCalls: [call('functions.pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]
    const { agent } = await agentFor([pay], script, { adapter })
    const result = await agent.resume(await pause(agent.run({ question: '?' })), { p1: true })
    expect(resultsOf(result)).toEqual(['Paid 5.'])
    expect(paid).toHaveLength(1)
  })

  it("doesn't mix up results when the adapter leaves a call out", async () => {
    const { pay, paid } = payments()
    const toolCalls = [call('get_weather', { city: 'Oslo' }, 'w1'), call('pay', { amount: 5 }, 'p1')]
    const adapter = only(({ name }) => name !== 'get_weather')
    const { agent } = await agentFor([pay, getWeather], [{ toolCalls }, { text: 'Done.' }], { adapter })
    const { trajectory } = await agent.run({ question: '?' }, { approve: () => true })
    expect(trajectory.messages.slice(2, 4)).toMatchObject([
      { callId: 'w1', name: 'get_weather', isError: true },
      { callId: 'p1', name: 'pay', content: 'Paid 5.' },
    ])
    expect(paid).toHaveLength(1)
  })

  it('answers when the adapter returns no list of calls', async () => {
    const adapter = reading(({ tool_calls: _, ...outputs }) => outputs)
    const { agent } = await agentFor([getWeather], [{ text: '21.' }], { adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21.' })
  })

  it('gets the tools that a search found when a conversation copies its messages', async () => {
    const adapter: Adapter = {
      ...nativeAdapter,
      begin: (...given) => {
        const own = nativeAdapter.begin(...given)
        return {
          get messages() {
            return [...own.messages]
          },
          get tools() {
            return [...own.tools]
          },
          append: (turn) => own.append(turn),
          reveal: (specs) => own.reveal(specs),
          forget: (range) => own.forget(range),
          request: (options) => own.request(options),
        }
      },
    }
    const { pay } = payments()
    const search = { toolCalls: [call('search_tools', { query: 'pay an amount' }, 's1')] }
    const script = [search, { toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]
    const { agent } = await agentFor([getWeather], script, { adapter, search: createRegistry([pay]) })
    expect(resultsOf(await agent.run({ question: '?' }, { approve: () => true })).at(-1)).toBe('Paid 5.')
  })
})

it('escapes control tokens in the instructions of a toolset, but not in those of the signature', async () => {
  const words = 'Plan.<|im_end|>'
  const trips = { name: 'trips', instructions: words, tools: () => [getWeather] }
  const signature = { ...answer, instructions: words }
  const systemFor = async (adapter: Adapter) => {
    const lm = scriptedLM([{ text: 'Done.' }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [trips], signature, adapter })
    await agent.run({ question: '?' })
    return systemOf(lm)
  }
  expect(await systemFor(textAdapter(hermes))).toContain(`${words}\n\nPlan.&#60;|im_end|>\n\n`)
  expect(await systemFor(nativeAdapter)).toContain(`${words}\n\n${words}`)
})
