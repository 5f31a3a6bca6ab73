/** Failed and invalid replies must not be treated as turns of the model. */
import { defineSignature, type LM, nativeAdapter, ToolCalls, Tools, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { deriveTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather, report } from '../../test/tools.ts'
import { predict } from '../predict/predict.ts'
import { createReactAgent } from '../react-agent.ts'

describe('a failed reply', () => {
  it('fails the run when the provider reports an error next to text', async () => {
    const lm = scriptedLM([{ text: 'The par', error: { message: 'overloaded' }, finishReason: 'error' }])
    const agent = await createReactAgent({ lm, tools: [], signature: answer })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({ code: 'model_failed', message: 'overloaded' })
  })

  it('fails the run in a stream too', async () => {
    const lm: LM = {
      generate: () => Promise.reject(new Error('not asked')),
      async *stream() {
        yield { type: 'text', text: 'The par' }
        yield { type: 'error', error: { message: 'overloaded' } }
      },
    }
    const agent = await createReactAgent({ lm, tools: [], signature: answer, stream: true })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({ code: 'model_failed', message: 'overloaded' })
  })

  it('is requested again, shorter, when it was truncated', async () => {
    const lm = scriptedLM([{ text: 'The answer is 4', finishReason: 'length' }, { text: 'It is 42.' }])
    expect(await predict({ lm, signature: answer })({ question: '?' })).toEqual({ answer: 'It is 42.' })
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('truncated')
  })

  it("isn't requested again when the model refused", async () => {
    const lm = scriptedLM([{ text: '', refusal: 'I cannot help with that.' }])
    await expect(predict({ lm, signature: answer })({ question: '?' })).rejects.toMatchObject({
      code: 'invalid_output',
      errors: [{ code: 'refused', message: 'The model refused: I cannot help with that.' }],
    })
    lm.assertDone()
  })

  it("keeps the provider's message when an adapter is used alone", () => {
    const { errors } = nativeAdapter.parse(answer, { text: '', toolCalls: [], error: { message: 'quota exceeded' } })
    expect(errors).toMatchObject([{ code: 'provider_error', message: 'The provider reported an error: quota exceeded' }])
  })
})

describe('a malformed call in text mode', () => {
  const adapter = textAdapter(hermes)
  const good = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'

  it.each([
    ['truncated', 'Look.\n<tool_call>{"name":"get_weather","arguments":{"city":"Os'],
    ['without a name', '<tool_call>{"nam": "get_weather", "arguments": {}}</tool_call>'],
  ])("doesn't end the task: %s", async (_, text) => {
    const lm = scriptedLM([{ text }, { text: good }, { text: '21 °C.' }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer, adapter })
    expect((await agent.run({ question: '?' })).outputs).toEqual({ answer: '21 °C.' })
    expect(lm.requests[1]?.messages.at(-1)?.content).toContain('A tool call in the reply could not be parsed')
    lm.assertDone()
  })

  it("is prose when it doesn't start as JSON", async () => {
    const text = 'I would write <tool_call> here, but need not.'
    const agent = await createReactAgent({ lm: scriptedLM([{ text }]), tools: [getWeather], signature: answer, adapter })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { answer: text }, steps: 1 })
  })
})

describe('the last turn of a task with several outputs', () => {
  it('lets the model correct an invalid submit', async () => {
    const wrong = { toolCalls: [call('submit', { city: 'Oslo', degrees: 'many' }, 'a')] }
    const lm = scriptedLM([{ text: 'Hm.' }, wrong, { toolCalls: [call('submit', { city: 'Oslo', degrees: 21 }, 'b')] }])
    const agent = await createReactAgent({ lm, tools: [], signature: report, maxSteps: 1 })
    expect(await agent.run({ question: '?' })).toMatchObject({ outputs: { city: 'Oslo', degrees: 21 }, termination: 'max_steps' })
  })

  it('reports the errors of a submit that stays invalid', async () => {
    const wrong = { toolCalls: [call('submit', { city: 'Oslo', degrees: 'many' })] }
    const lm = scriptedLM([{ text: 'Hm.' }, wrong])
    const agent = await createReactAgent({ lm, tools: [], signature: report, maxSteps: 1, maxRepairs: 1 })
    await expect(agent.run({ question: '?' })).rejects.toMatchObject({
      code: 'max_steps',
      errors: [{ code: 'invalid_output', message: expect.stringContaining('/degrees must be integer') }],
    })
  })
})

describe('a task', () => {
  it('may have an input with any name, even tools', async () => {
    const signature = defineSignature({
      instructions: 'Choose.',
      inputs: { question: Type.String(), tools: Type.String() },
      outputs: { answer: Type.String() },
    })
    const lm = scriptedLM([{ text: 'The saw.' }])
    const agent = await createReactAgent({ lm, tools: [getWeather], signature })
    await agent.run({ question: 'Which tool?', tools: 'hammer, saw' })
    expect(lm.requests[0]?.messages[1]?.content).toContain('hammer, saw')
    expect(lm.requests[0]?.tools).toHaveLength(1)
  })

  it("can't have tool calls as an output of an agent", async () => {
    const outputs = { reply: Type.String(), calls: ToolCalls() }
    const signature = defineSignature({ instructions: '', inputs: { tools: Tools() }, outputs })
    await expect(createReactAgent({ lm: scriptedLM([]), tools: [], signature })).rejects.toMatchObject({
      code: 'invalid_options',
    })
  })

  it.each([
    ['lm', { lm: 'gpt-4o' }],
    ['lm', { lm: undefined }],
    ['signature', { signature: undefined }],
    ['tools', { tools: undefined }],
  ])("can't be given to an agent without its %s", async (option, wrong) => {
    const options = { lm: scriptedLM([]), tools: [], signature: answer, ...(wrong as object) }
    const message = expect.stringMatching(new RegExp(`^createReactAgent: ${option} must be`))
    await expect(createReactAgent(options)).rejects.toMatchObject({ code: 'invalid_options', message })
  })

  it('is rejected with an error of createReactAgent when two tools have the same name', async () => {
    const tools = [getWeather, deriveTool(getWeather, { description: 'Another.' })]
    await expect(createReactAgent({ lm: scriptedLM([]), tools, signature: answer })).rejects.toMatchObject({
      name: 'RegistryError',
      code: 'duplicate_tool_name',
      message: expect.stringMatching(/^createReactAgent: tools: entry 0 .*"get_weather"/),
    })
  })

  it("isn't started without its inputs", async () => {
    const lm = scriptedLM([])
    const agent = await createReactAgent({ lm, tools: [], signature: answer })
    await expect(agent.run({ qestion: '?' } as never)).rejects.toMatchObject({
      code: 'invalid_inputs',
      message: expect.stringContaining('"question" is missing'),
    })
    expect(lm.requests).toEqual([])
  })
})
