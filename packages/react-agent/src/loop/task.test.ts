/** Tests the instructions and inputs of a task. */
import { defineSignature, textAdapter } from '@x/adapters'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

const textCall = (name: string, args: object = {}) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const looksUp = { toolCalls: [call('get_weather', { city: 'Oslo' })] }

describe('the instructions of a task', () => {
  it('T0-29: come first in every request, before how to end the task, even in the forced one', async () => {
    const submits = { toolCalls: [call('submit', { city: 'Oslo', degrees: 21 })] }
    const lm = scriptedLM([looksUp, looksUp, submits])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, maxSteps: 2 })
    await agent.run({ question: '?' })
    expect(lm.requests).toHaveLength(3)
    for (const { messages } of lm.requests) expect(messages[0]?.content).toMatch(/^Report the weather\.[\s\S]+call "submit"/)
  })

  it('T0-29: come first in text mode too, before the tools and the dialect', async () => {
    const lm = scriptedLM([textCall('get_weather', { city: 'Oslo' }), '21 °C.'].map((text) => ({ text })))
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer, adapter: textAdapter(hermes) })
    await agent.run({ question: '?' })
    expect(lm.requests).toHaveLength(2)
    for (const { messages } of lm.requests)
      expect(messages[0]?.content).toMatch(/^Answer briefly\.[\s\S]+reply with the answer[\s\S]+<tools>/)
  })
})

describe('the inputs of a task', () => {
  const run = async (inputs: Parameters<typeof defineSignature>[0]['inputs'], values: Record<string, unknown>) => {
    const signature = defineSignature({ instructions: 'Sum up.', inputs, outputs: { answer: Type.String() } })
    const lm = scriptedLM([{ text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature })
    expect((await agent.run(values as never)).outputs).toEqual({ answer: 'Done.' })
    return lm.requests[0]?.messages.at(-1)?.content
  }

  it('T0-35: may be a list', async () => {
    expect(await run({ cities: Type.Array(Type.String()) }, { cities: ['Oslo', 'Rome'] })).toContain('["Oslo","Rome"]')
  })

  it('T0-35: may be only numbers, booleans and objects', async () => {
    const inputs = { year: Type.Integer(), isLeap: Type.Boolean(), place: Type.Object({ city: Type.String() }) }
    const prompt = await run(inputs, { year: 2028, isLeap: true, place: { city: 'Oslo' } })
    expect(prompt).toMatch(/2028[\s\S]+true[\s\S]+{"city":"Oslo"}/)
  })

  it('T0-35: may be empty', async () => {
    await run({}, {})
  })
})

describe('an agent without tools', () => {
  it.each<[string, readonly ScriptedReply[], object]>([
    ['native', [{ text: '21 °C.' }], {}],
    ['text', [{ text: '21 °C.' }], { adapter: textAdapter(hermes) }],
  ])('T3-22: answers, in %s mode', async (_, script, options) => {
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [], signature: answer, ...options })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21 °C.' })
  })
})
