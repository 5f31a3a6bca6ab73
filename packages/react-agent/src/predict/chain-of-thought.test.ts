import { defineSignature, ToolCalls, Tools, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import { chainOfThought } from './chain-of-thought.ts'

const thought = '[[ ## reasoning ## ]]\nNorway, so Oslo.\n\n[[ ## answer ## ]]\nOslo'

it('T3-20: asks for the reasoning before the outputs, and returns both', async () => {
  const lm = scriptedLM([{ text: thought }])
  const outputs = await chainOfThought({ lm, signature: answer })({ question: 'Capital of Norway?' })
  expect(outputs).toEqual({ reasoning: 'Norway, so Oslo.', answer: 'Oslo' })
  expect(Object.keys(outputs)).toEqual(['reasoning', 'answer'])
  expect(lm.requests[0]?.messages[0]?.content).toMatch(/## reasoning ##[\s\S]*step by step[\s\S]*## answer ##/)
})

it('asks again for an answer without reasoning', async () => {
  const lm = scriptedLM([{ text: '[[ ## answer ## ]]\nOslo' }, { text: thought }])
  expect(await chainOfThought({ lm, signature: answer })({ question: '?' })).toMatchObject({ answer: 'Oslo' })
  expect(lm.requests[1]?.messages.at(-1)?.content).toContain('The field "reasoning" is missing.')
})

it('works with tool calls, and with any adapter', async () => {
  const signature = defineSignature({
    instructions: 'Decide.',
    inputs: { question: Type.String(), tools: Tools() },
    outputs: { tool_calls: ToolCalls() },
  })
  const native = scriptedLM([{ text: 'Look it up.', toolCalls: [call('get_weather', { city: 'Oslo' })] }])
  const text = scriptedLM([{ text: 'Look it up.\n<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>' }])
  const expected = { reasoning: 'Look it up.', tool_calls: [{ name: 'get_weather', args: { city: 'Oslo' } }] }
  const inputs = { question: '?', tools: [getWeather] }
  expect(await chainOfThought({ lm: native, signature })(inputs)).toMatchObject(expected)
  expect(await chainOfThought({ lm: text, signature, adapter: textAdapter(hermes) })(inputs)).toMatchObject(expected)
})

it('rejects a signature that already has an output with that name', () => {
  const signature = defineSignature({
    instructions: '',
    inputs: {},
    outputs: { reasoning: Type.Number(), answer: Type.String() },
  })
  expect(() => chainOfThought({ lm: scriptedLM([]), signature })).toThrow(
    'chainOfThought: the signature already has an output "reasoning". Rename that output, or use predict',
  )
})

it('keeps the examples of the signature, without reasoning', async () => {
  const examples = [{ inputs: { question: 'Capital of Peru?' }, outputs: { answer: 'Lima' } }]
  const signature = defineSignature({
    instructions: 'Answer.',
    inputs: { question: Type.String() },
    outputs: { answer: Type.String() },
    examples,
  })
  const lm = scriptedLM([{ text: thought }])
  await chainOfThought({ lm, signature })({ question: 'Capital of Norway?' })
  const [, asked, answered] = lm.requests[0]?.messages ?? []
  expect(asked?.content).toContain('Capital of Peru?')
  expect(answered?.content).toMatch(/## reasoning ##[\s\S]*Not given[\s\S]*## answer ##[\s\S]*Lima/)
})
