import { defineSignature, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import type { PausedRun } from '../approval/paused-run.ts'
import { createReactAgent } from '../react-agent.ts'
import type { Trajectory } from './result.ts'

const looksUp = { toolCalls: [call('get_weather', { city: 'Oslo' })] }
const tools = [getWeather]

describe('a task with one text output, native', () => {
  it('ends with the first turn without calls, without a tool for that', async () => {
    const lm = scriptedLM([looksUp, { text: '21 °C.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21 °C.' })
    expect(lm.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual(['get_weather'])
  })

  it('asks again for an empty reply, and fails when it stays empty', async () => {
    const lm = scriptedLM([{ text: '' }, { text: ' ' }, { text: '21 °C.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21 °C.' })
    const stubborn = scriptedLM([{ text: '' }, { text: '' }])
    const second = await createReactAgent({ lm: stubborn, tools, signature: answer, maxRepairs: 1 })
    await expect(second.run({ question: '?' })).rejects.toMatchObject({
      code: 'invalid_output',
      errors: [{ code: 'empty_response' }],
    })
  })

  it('forces an answer when the steps are used up', async () => {
    const lm = scriptedLM([looksUp, looksUp, { text: 'Perhaps 21 °C.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer, maxSteps: 2 })
    const result = await agent.run({ question: '?' })
    expect(result).toMatchObject({ outputs: { answer: 'Perhaps 21 °C.' }, termination: 'max_steps', steps: 2 })
    expect(lm.requests[2]?.toolChoice).toBe('none')
  })

  it('fails with the trajectory when the model keeps calling tools, and runs none of those calls', async () => {
    let runs = 0
    const counting = { ...getWeather, execute: async () => ({ city: 'Oslo', degrees: ++runs }) }
    const lm = scriptedLM([looksUp, looksUp, looksUp])
    const agent = await createReactAgent({ lm, tools: [counting], signature: answer, maxSteps: 2 })
    const error = await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'max_steps',
      message: 'The model did not finish the task within 2 steps. Raise maxSteps, or give it a smaller task.',
    })
    expect((error as { trajectory: { messages: unknown[] } }).trajectory.messages).toHaveLength(7)
    expect(runs).toBe(2)
  })
})

describe('a task with several outputs, native', () => {
  it('ends with a valid submit, whose arguments are the outputs', async () => {
    const lm = scriptedLM([looksUp, { toolCalls: [call('submit', { city: 'Oslo', degrees: '21' })] }])
    const agent = await createReactAgent({ lm, tools, signature: report })
    const { outputs } = await agent.run({ question: '?' })
    expect(outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(lm.requests[0]?.tools?.at(-1)?.function).toMatchObject({
      name: 'submit',
      parameters: { required: ['city', 'degrees'] },
    })
  })

  it("doesn't require an output that has a default", async () => {
    const signature = defineSignature({
      instructions: 'Report.',
      inputs: { question: Type.String() },
      outputs: { city: Type.String(), unit: Type.String({ default: 'C' }) },
    })
    const lm = scriptedLM([{ toolCalls: [call('submit', { city: 'Oslo' })] }])
    const agent = await createReactAgent({ lm, tools, signature })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', unit: 'C' })
    expect(lm.requests[0]?.tools?.at(-1)?.function.parameters.required).toEqual(['city'])
  })

  it('lets the model correct an invalid submit', async () => {
    const wrong = { toolCalls: [call('submit', { city: 'Oslo', degrees: -300 })] }
    const lm = scriptedLM([wrong, { toolCalls: [call('submit', { city: 'Oslo', degrees: 21 }, 'again')] }])
    const agent = await createReactAgent({ lm, tools, signature: report })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(lm.requests[1]?.messages.at(-1)?.content).toBe('Error: Invalid arguments for "submit": /degrees must be >= -100.')
  })

  it('T4-28: reminds a model that only writes text, and forces submit at the end', async () => {
    const lm = scriptedLM([
      { text: 'Well, 21.' },
      { text: 'As I said.' },
      { toolCalls: [call('submit', { city: 'Oslo', degrees: 21 })] },
    ])
    const agent = await createReactAgent({ lm, tools, signature: report, maxSteps: 2 })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'Oslo', degrees: 21 }, termination: 'max_steps' })
    expect(lm.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: expect.stringContaining('If the task is done, call "submit" with the outputs.'),
    })
    expect(lm.requests[2]?.toolChoice).toEqual({ name: 'submit' })
  })
})

describe('a task in text mode', () => {
  const adapter = textAdapter(hermes)
  const textCall = (name: string, args: object = {}) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

  it('ends with the first turn without calls if it has one text output', async () => {
    const lm = scriptedLM([
      { text: `Look. ${textCall('get_weather', { city: 'Oslo' })}` },
      { text: '<think>Warm.</think>21 °C.' },
    ])
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { answer: '21 °C.' }, termination: 'finished', steps: 2 })
    expect(lm.requests.every((request) => request.tools === undefined)).toBe(true)
    expect(lm.requests[0]?.messages[0]?.content).not.toContain('finish')
    lm.assertDone()
  })

  it('ends with finish and one more request if it has several outputs', async () => {
    const look = { text: textCall('get_weather', { city: 'Oslo' }) }
    const outputs = { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' }
    const lm = scriptedLM([look, { text: textCall('finish') }, outputs])
    const agent = await createReactAgent({ lm, tools, signature: report, adapter })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'Oslo', degrees: 21 }, steps: 2 })
    lm.assertDone()
  })

  it('takes several outputs from a turn without calls that contains them, without another request', async () => {
    const lm = scriptedLM([{ text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' }])
    const agent = await createReactAgent({ lm, tools, signature: report, adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    lm.assertDone()
  })

  it.each([
    ['needs a repair', { count: Type.Integer() }, 'There are 3.', '3', { count: 3 }],
    [
      'contains none of the outputs',
      { note: Type.Optional(Type.String()), count: Type.Optional(Type.Integer()) },
      'Done.',
      '[[ ## count ## ]]\n3',
      { count: 3 },
    ],
  ])('asks for the outputs when a turn without calls %s', async (_, outputs, prose, reply, wanted) => {
    const signature = defineSignature({ instructions: 'Count.', inputs: { question: Type.String() }, outputs })
    const lm = scriptedLM([{ text: prose }, { text: reply }])
    const agent = await createReactAgent({ lm, tools, signature, adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual(wanted)
    lm.assertDone()
  })

  it('gives calls in place of the outputs unique ids, and answers each', async () => {
    const look = textCall('get_weather', { city: 'Oslo' })
    const lm = scriptedLM([{ text: look }, { text: look + look }, { text: look }, { text: '21 °C.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter, maxSteps: 1 })
    const { messages } = (await agent.run({ question: '?' })).trajectory
    const calls = messages
      .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
      .map(({ id }) => id)
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
    expect(calls).toHaveLength(4)
    expect(new Set(calls).size).toBe(4)
    expect(results).toEqual(calls)
  })

  it('counts the tokens of the request for the outputs too', async () => {
    const usage = { inputTokens: 10, outputTokens: 1 }
    const lm = scriptedLM([
      { text: textCall('get_weather', { city: 'Oslo' }), usage },
      { text: '', usage },
      { text: '21 °C.', usage },
    ])
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter, maxSteps: 1 })
    expect((await agent.run({ question: '?' })).usage).toEqual({ inputTokens: 30, outputTokens: 3 })
  })

  it('asks for several outputs under their markers, and again when one is invalid', async () => {
    const lm = scriptedLM([
      { text: 'No tool needed.' },
      { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\nwarm' },
      { text: '[[ ## city ## ]]\nOslo\n[[ ## degrees ## ]]\n21' },
    ])
    const agent = await createReactAgent({ lm, tools, signature: report, adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('[[ ## degrees ## ]]\n(integer)')
    expect(lm.requests[2]?.messages.at(-1)?.content).toContain('The field "degrees" is not valid JSON.')
  })

  it('returns the same outputs as native mode, each with its script', async () => {
    const native = scriptedLM([looksUp, { text: '21 °C.' }])
    const text = scriptedLM([{ text: textCall('get_weather', { city: 'Oslo' }) }, { text: '21 °C.' }])
    const nativeAgent = await createReactAgent({ lm: native, tools, signature: answer })
    const textAgent = await createReactAgent({ lm: text, tools, signature: answer, adapter })
    const [first, second] = [await nativeAgent.run({ question: '?' }), await textAgent.run({ question: '?' })]
    expect(second.outputs).toEqual(first.outputs)
    const observed = (messages: typeof first.trajectory.messages) => messages.find(({ role }) => role === 'tool')?.content
    expect(observed(second.trajectory.messages)).toBe(observed(first.trajectory.messages))
  })
})

describe('a call that ends the task next to one that failed', () => {
  const fails = defineTool({
    name: 'save',
    description: 'Save.',
    effect: 'write',
    args: Type.Object({}),
    execute: () => {
      throw new Error('disk full')
    },
  })
  const early = call('submit', { city: 'saved', degrees: 1 }, 's1')
  const late = { toolCalls: [call('submit', { city: 'not saved', degrees: 0 }, 's2')] }
  const observed = ({ trajectory }: { trajectory: Trajectory }) =>
    trajectory.messages.flatMap((message) => (message.role === 'tool' ? [message] : []))

  it.each([
    ['before it', [call('save'), early]],
    ['after it', [early, call('save')]],
    ['before it, of an unknown tool', [call('sav'), early]],
    ['before it, malformed', [call('save', '{"a'), early]],
  ])("isn't accepted: %s", async (_, toolCalls) => {
    const agent = await createReactAgent({ lm: scriptedLM([{ toolCalls }, late]), tools: [fails], signature: report })
    const result = await agent.run({ question: '?' })
    expect(result).toMatchObject({ outputs: { city: 'not saved', degrees: 0 }, termination: 'finished', steps: 2 })
    expect(observed(result).find(({ callId }) => callId === 's1')).toMatchObject({
      isError: true,
      content: expect.stringContaining('"submit" was not accepted'),
    })
  })

  it('is reported by call_refused, and only by that', async () => {
    const lm = scriptedLM([{ toolCalls: [early, call('save')] }, late])
    const agent = await createReactAgent({ lm, tools: [fails], signature: report })
    const events: string[] = []
    const run = agent.run({ question: '?' })
    for await (const event of run.stream())
      if ('call' in event && event.call.name === 'submit') events.push(`${event.type} ${event.step}`)
    expect(events).toEqual(['call_refused 1', 'call_started 2'])
  })

  it('is accepted when the others succeeded, and in the last turn', async () => {
    const succeeds = { toolCalls: [early, call('get_weather', { city: 'Oslo' })] }
    const agent = await createReactAgent({ lm: scriptedLM([succeeds]), tools, signature: report })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'saved' }, steps: 1 })
    const last = scriptedLM([{ toolCalls: [call('save')] }, { toolCalls: [call('save', {}, 'again'), early] }])
    const short = await createReactAgent({ lm: last, tools: [fails], signature: report, maxSteps: 1 })
    expect(await short.run({ question: '?' })).toMatchObject({ outputs: { city: 'saved' }, termination: 'max_steps' })
  })

  it('runs after a write that waits for approval, in any order', async () => {
    const log: string[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: Type.Object({}),
      execute: () => log.push('paid') && 'paid',
    })
    const lm = scriptedLM([{ toolCalls: [early, call('pay')] }, late])
    const agent = await createReactAgent({ lm, tools: [pay], signature: report })
    const error = await agent.run({ question: '?' }).catch((thrown: unknown) => thrown)
    const { paused } = error as { paused: PausedRun }
    expect(paused.finished).toEqual([])
    expect((await agent.resume(paused, { id_pay: false })).outputs).toEqual({ city: 'not saved', degrees: 0 })
    expect((await agent.resume(paused, { id_pay: true })).outputs).toEqual({ city: 'saved', degrees: 1 })
    expect(log).toEqual(['paid'])
  })

  it("doesn't end a task in text mode either", async () => {
    const turn = (...names: string[]) => ({
      text: names.map((name) => `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`).join('\n'),
    })
    const outputs = '[[ ## city ## ]]\nnot saved\n[[ ## degrees ## ]]\n0'
    const lm = scriptedLM([turn('save', 'finish'), turn('finish'), { text: outputs }])
    const agent = await createReactAgent({ lm, tools: [fails], signature: report, adapter: textAdapter(hermes) })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'not saved', degrees: 0 }, steps: 2 })
  })
})

describe("a turn without calls that doesn't end the task, in text mode", () => {
  const adapter = textAdapter(hermes)
  const written = (name: string, args: object) => ({
    text: `<tool_call>{"name":"${name}","arguments":${JSON.stringify(args)}}</tool_call>`,
  })

  it('is requested again when it was truncated', async () => {
    const truncated = { text: 'First I look up', finishReason: 'length' as const }
    const lm = scriptedLM([truncated, written('get_weather', { city: 'Oslo' }), { text: '21 °C.' }])
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter })
    const result = await agent.run({ question: '?' })
    expect(result).toMatchObject({ outputs: { answer: '21 °C.' }, steps: 3 })
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('truncated at its length limit')
    lm.assertDone()
  })

  it.each([
    ['the model', { text: '', refusal: 'I cannot help.' }],
    ['the provider', { text: 'Half', finishReason: 'content-filter' as const }],
  ])('ends the run with an error when %s refused it', async (_, reply) => {
    const agent = await createReactAgent({ lm: scriptedLM([reply, { text: 'Made up.' }]), tools, signature: answer, adapter })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({ code: 'invalid_output', errors: [{ code: 'refused' }] })
  })
})

describe('the request for the answer when the steps are used up, in text mode', () => {
  const textCall = (name: string) => `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`
  const ask = async (...replies: string[]) => {
    const lm = scriptedLM([textCall('get_weather'), ...replies].map((text) => ({ text })))
    const agent = await createReactAgent({ lm, tools, signature: answer, adapter: textAdapter(hermes), maxSteps: 1 })
    const { outputs } = await agent.run({ question: '?' })
    lm.assertDone()
    return outputs.answer
  }

  it.each([
    ['calls a tool', `Let me look once more. ${textCall('get_weather')}`],
    ['contains a malformed call', 'Let me look once more. <tool_call>{"name":"get_weather","argu'],
  ])('is repeated when the reply %s', async (_, reply) => {
    expect(await ask(reply, '21 °C.')).toBe('21 °C.')
  })
})
