/** Tests what happens when the steps are used up, a tool is unknown, or a call that ends a task is invalid. */
import { textAdapter } from '@x/adapters'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { call, getWeather, report } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import type { ReactAgentOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

const textCall = (name: string, args: unknown = {}) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const looksUp = { toolCalls: [call('get_weather', { city: 'Oslo' })] }
const submits = (args: object, id: string) => ({ toolCalls: [call('submit', args, id)], text: 'Some 21 degrees.' })

/** Returns the error of the agent, and details from its trajectory. */
async function failureOf(script: readonly ScriptedReply[], options: Partial<ReactAgentOptions<typeof report>> = {}) {
  const agent = await createReactAgent({
    lm: scriptedLM(script),
    tools: [getWeather],
    signature: report,
    maxSteps: 1,
    ...options,
  })
  const error = await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)
  if (!(error instanceof AgentError)) throw new Error('the run did not fail as it should')
  const messages = error.trajectory?.messages ?? []
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message] : []))
  return { error, history: messages.map(({ role }) => role), results }
}

describe('the error of a run whose steps are used up', () => {
  const wrong = { city: 'Oslo', degrees: -300 }

  it('T0-31: has the number of steps, the history, the tools used, the last observation and the partial answer', async () => {
    const { error, history, results } = await failureOf([looksUp, submits(wrong, 's1')], { maxRepairs: 0 })
    expect(error).toMatchObject({
      code: 'max_steps',
      message: 'The model did not finish the task within 1 step. Raise maxSteps, or give it a smaller task.',
      steps: 1,
      rawOutput: 'Some 21 degrees.',
      errors: [{ code: 'invalid_output', message: expect.stringContaining('/degrees must be >= -100') }],
    })
    expect(history).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(results[0]).toMatchObject({ name: 'get_weather', content: '{"city":"Oslo","degrees":21}' })
  })

  it.each<[string, ScriptedReply]>([
    ['text', { text: 'Some 21' }],
    ['call', { text: '', toolCalls: [{ id: 's1', name: 'submit', arguments: '{"city":"Os' }] }],
  ])('has the limit that truncated the last reply, a %s, and how to raise it', async (_, reply) => {
    const truncated = { ...reply, finishReason: 'length', outputLimit: { tokens: 50, isMaximum: false } } as const
    const { error } = await failureOf([looksUp, truncated], { maxRepairs: 0 })
    expect(error.code).toBe('max_steps')
    expect(error.message).toMatch(/a smaller task\. The last reply: .*The reply was truncated at its length limit of 50 tokens\./)
    expect(error.message).toContain('The setting maxOutputTokens can raise it.')
  })

  it('T0-31: has no tool results when no tool was used', async () => {
    const { error, history, results } = await failureOf([{ text: 'Hm.' }, { text: 'Well.' }])
    expect([error.code, error.rawOutput, results]).toEqual(['max_steps', 'Well.', []])
    expect(history).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('T0-32: has the code max_steps, even if the last outputs have the wrong type, and the text of the model', async () => {
    const { error } = await failureOf([looksUp, submits({ city: 'Oslo', degrees: 'mild' }, 's1')], { maxRepairs: 0 })
    expect([error.code, error.rawOutput]).toEqual(['max_steps', 'Some 21 degrees.'])
  })

  it("T0-32: isn't thrown when a text is the JSON of the outputs", async () => {
    const lm = scriptedLM([looksUp, submits({ city: 'Oslo', degrees: '21' }, 's1')])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, maxSteps: 1 })
    expect(await agent.run({ question: '?' })).toMatchObject({
      outputs: { city: 'Oslo', degrees: 21 },
      termination: 'max_steps',
    })
  })

  it('T0-32: has the code invalid_output in text mode, with the same details', async () => {
    const script = [{ text: textCall('get_weather', { city: 'Oslo' }) }, { text: '[[ ## city ## ]]\nOslo' }]
    const { error } = await failureOf(script, { adapter: textAdapter(hermes), maxRepairs: 0 })
    expect(error).toMatchObject({
      code: 'invalid_output',
      rawOutput: '[[ ## city ## ]]\nOslo',
      errors: [{ code: 'missing_output', field: 'degrees' }],
    })
  })
})

const OUTPUTS = '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21'

describe('a call to an unknown tool', () => {
  it('T0-33: is answered with the known names, including the tool that ends the task', async () => {
    const lm = scriptedLM([{ text: textCall('fly') }, { text: textCall('finish') }, { text: OUTPUTS }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, adapter: textAdapter(hermes) })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(lm.requests[1]?.messages.at(-1)?.content).toMatch(/There is no tool "fly"\.[^<]*get_weather[^<]*finish/)
  })

  it('T0-33: is answered with submit if that ends the task', async () => {
    const lm = scriptedLM([{ toolCalls: [call('fly')] }, submits({ city: 'Oslo', degrees: 21 }, 's1')])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report })
    await agent.run({ question: '?' })
    expect(lm.requests[1]?.messages.at(-1)?.content).toMatch(/There is no tool "fly"\..*get_weather.*submit/)
  })
})

describe('the call that ends a task', () => {
  it.each(['{}', '', 'null'])('T0-34: needs no arguments in text mode: %j', async (args) => {
    const text = `<tool_call>\n{"name": "finish"${args && `, "arguments": ${args}`}}\n</tool_call>`
    const lm = scriptedLM([{ text }, { text: OUTPUTS }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, adapter: textAdapter(hermes) })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'Oslo', degrees: 21 }, steps: 1 })
  })

  it("T0-34: doesn't end it in text mode when its arguments have the wrong type", async () => {
    const wrong = '<tool_call>\n{"name": "finish", "arguments": ["now"]}\n</tool_call>'
    const lm = scriptedLM([{ text: wrong }, { text: textCall('finish') }, { text: OUTPUTS }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report, adapter: textAdapter(hermes) })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'Oslo', degrees: 21 }, steps: 2 })
  })

  it.each(['5', '["Oslo"]', '{"city":"Oslo","degrees":[]}'])('T0-34: is refused with the arguments %s', async (args) => {
    const lm = scriptedLM([{ toolCalls: [call('submit', args, 's1')] }, submits({ city: 'Oslo', degrees: 21 }, 's2')])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: report })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(lm.requests[1]?.messages.at(-1)?.content).toMatch(/^Error: Invalid arguments for "submit"/)
  })
})
