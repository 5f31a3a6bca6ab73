import { defineSignature, ToolCalls, Tools, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import type { TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import { chainOfThought } from './chain-of-thought.ts'
import { predict } from './predict.ts'

const plan = defineSignature({
  instructions: 'Decide which tools to call.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})

it('returns the one text output of a signature', async () => {
  expect(await predict({ lm: scriptedLM([{ text: ' Oslo. ' }]), signature: answer })({ question: 'Capital of Norway?' })).toEqual(
    { answer: 'Oslo.' },
  )
})

it('returns several outputs, validated against their schemas', async () => {
  const lm = scriptedLM([{ text: '[[ ## city ## ]]\nOslo\n\n[[ ## degrees ## ]]\n21' }])
  expect(await predict({ lm, signature: report })({ question: '?' })).toEqual({ city: 'Oslo', degrees: 21 })
})

it('T4-22: sends the errors to the model, field by field, and asks again', async () => {
  const lm = scriptedLM([
    { text: '[[ ## city ## ]]\nOslo' },
    { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n-300' },
    { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' },
  ])
  expect(await predict({ lm, signature: report })({ question: '?' })).toEqual({ city: 'Oslo', degrees: 21 })
  expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The field "degrees" is missing.')
  expect(lm.requests[2]?.messages.at(-1)?.content).toContain('The field "degrees" must be >= -100.')
})

it('validates inputs and outputs by the library of their schemas', async () => {
  const validate = (value: unknown) => (value === 'odd' ? { issues: [{ message: 'must be even' }] } : { value })
  const text: TypedSchema<string> = {
    '~standard': { version: 1, vendor: 'zod', validate, jsonSchema: { input: () => ({ type: 'string' }) } },
  } as never
  const signature = defineSignature({ instructions: '', inputs: { question: text }, outputs: { answer: text } })
  const lm = scriptedLM([{ text: 'odd' }, { text: 'even' }])
  expect(await predict({ lm, signature })({ question: '?' })).toEqual({ answer: 'even' })
  expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The field "answer" must be even.')
  await expect(predict({ lm, signature })({ question: 'odd' })).rejects.toMatchObject({ code: 'invalid_inputs' })
})

it('T4-22: rejects with the errors and the raw output of the last attempt', async () => {
  const lm = scriptedLM([{ text: 'first' }, { text: 'second' }])
  await expect(predict({ lm, signature: report, maxRepairs: 1 })({ question: '?' })).rejects.toMatchObject({
    code: 'invalid_output',
    rawOutput: 'second',
    errors: [
      { code: 'missing_output', field: 'city' },
      { code: 'missing_output', field: 'degrees' },
    ],
  })
})

it('run returns the usage of all attempts, and the repairs in the accepted one', async () => {
  const lm = scriptedLM([
    { text: '[[ ## city ## ]]\nOslo', usage: { inputTokens: 10, outputTokens: 2 } },
    { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n"21"', usage: { inputTokens: 20, outputTokens: 3 } },
  ])
  expect(await predict({ lm, signature: report }).run({ question: '?' })).toEqual({
    outputs: { city: 'Oslo', degrees: 21 },
    usage: { inputTokens: 30, outputTokens: 5 },
    recoveredFields: [{ field: 'degrees', tags: ['coerced'] }],
  })
})

it('run names the calls whose arguments were repaired', async () => {
  const lm = scriptedLM([{ text: '', toolCalls: [{ id: 'c', name: 'get_weather', arguments: '{"city":"Oslo",}' }] }])
  expect(await predict({ lm, signature: plan }).run({ question: '?', tools: [getWeather] })).toMatchObject({
    outputs: { tool_calls: [{ id: 'c', args: { city: 'Oslo' } }] },
    recovered: [{ callId: 'c', tags: ['trailing_comma'] }],
    usage: {},
  })
})

it('returns tool calls and runs none', async () => {
  const lm = scriptedLM([{ text: 'Look it up.', toolCalls: [call('get_weather', { city: 'Oslo' }, 'c')] }])
  expect(await predict({ lm, signature: plan })({ question: '?', tools: [getWeather] })).toEqual({
    reasoning: 'Look it up.',
    tool_calls: [{ id: 'c', name: 'get_weather', args: { city: 'Oslo' } }],
  })
})

it('T4-23: asks again for a malformed call, after answering it, as providers require', async () => {
  const lm = scriptedLM([
    { toolCalls: [call('get_weather', '{"city"', 'c')] },
    { toolCalls: [call('get_weather', { city: 'Oslo' }, 'd')] },
  ])
  const { tool_calls } = await predict({ lm, signature: plan })({ question: '?', tools: [getWeather] })
  expect(tool_calls).toHaveLength(1)
  expect(lm.requests[1]?.messages.slice(-2)).toMatchObject([{ role: 'tool', callId: 'c', isError: true }, { role: 'user' }])
})

it('works with any adapter', async () => {
  const lm = scriptedLM([{ text: 'Hm.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>' }])
  const outputs = await predict({ lm, signature: plan, adapter: textAdapter(hermes) })({ question: '?', tools: [getWeather] })
  expect(outputs).toMatchObject({ reasoning: 'Hm.', tool_calls: [{ name: 'get_weather', args: { city: 'Oslo' } }] })
})

it('passes the settings on', async () => {
  const lm = scriptedLM([{ text: 'x' }])
  await predict({ lm, signature: answer, settings: { temperature: 0, seed: 7 } })({ question: '?' })
  expect(lm.requests[0]?.settings).toEqual({ temperature: 0, seed: 7 })
})

it("passes the provider's own options on", async () => {
  const lm = scriptedLM([{ text: 'x' }])
  await predict({ lm, signature: answer, providerOptions: { store: false } })({ question: '?' })
  expect(lm.requests[0]?.providerOptions).toEqual({ store: false })
})

it('rejects invalid options', () => {
  const lm = scriptedLM([])
  for (const [option, wrong] of Object.entries({ adapter: {}, modelTimeoutMs: Number.NaN, maxRepairs: -1, lm: {} }))
    expect(() => predict({ lm, signature: answer, [option]: wrong })).toThrow(`predict: ${option} must be`)
})

it.each([
  ['inputs', { question: { '~standard': { vendor: 'zod' } } }, { answer: Type.String() }],
  ['outputs', { question: Type.String() }, { answer: { '~standard': { vendor: 'zod' } } }],
])('rejects a handwritten signature with a schema of another library: %s', (place, inputs, outputs) => {
  const signature = { instructions: 'Answer.', inputs, outputs } as never
  for (const define of [predict, chainOfThought]) {
    expect(() => define({ lm: scriptedLM([]), signature })).toThrow(`defineSignature: ${place}.`)
  }
})
