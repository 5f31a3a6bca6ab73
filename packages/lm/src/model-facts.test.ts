/** What `createLM` does with facts about the model: options, output limits, and errors of a badly behaved server. */
import { collectDeltas, type LMDelta, type LMRequest, type ReasoningSetting } from '@x/adapters'
import { anthropicMessages, type Loss, openaiChat, openaiResponses, type WireFormat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { sendJson, serve } from '../test/server.ts'
import { type CreateLMOptions, createLM } from './create-lm.ts'

const request: LMRequest = { messages: [{ role: 'user', content: 'Hi' }] }
const tools = [
  { type: 'function', function: { name: 'search', description: 'Searches.', parameters: { type: 'object' } } },
] as const

/** A server that records bodies and answers with `reply`. */
async function start(wire: WireFormat, reply: object, options: Partial<CreateLMOptions> = {}, status = 200) {
  const server = await serve((response) => sendJson(response, reply, status))
  const losses: Loss[] = []
  const lm = createLM({
    wire,
    model: 'claude-sonnet-4-6',
    retries: 0,
    onLoss: (loss) => losses.push(loss),
    ...options,
    baseURL: server.baseURL,
  })
  const bodies = () => server.received.map(({ body }) => body as Record<string, unknown>)
  return { lm, losses, bodies }
}

const claude = (text: string, stop_reason = 'end_turn') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason,
  usage: { input_tokens: 1, output_tokens: 2 },
})
const chat = (text: string, finish_reason = 'stop') => ({
  choices: [{ message: { role: 'assistant', content: text }, finish_reason }],
})

describe('the option reasoning', () => {
  it('applies to requests that do not say, and a request overrides it', async () => {
    const { lm, bodies } = await start(anthropicMessages, claude('Hello'), { reasoning: 'low' })
    await lm.generate(request)
    await lm.generate({ ...request, reasoning: 'high' })
    expect(bodies()).toMatchObject([
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ])
  })

  it.each<[unknown]>([['max'], [{ tokens: 0 }], [{ tokens: 1.5 }], [{}], [null], [true]])(
    'is refused at creation: %j',
    (reasoning) => {
      const create = () =>
        createLM({ wire: openaiChat, baseURL: 'http://a.example', model: 'm', reasoning: reasoning as ReasoningSetting })
      expect(create).toThrow("reasoning must be 'off', 'low', 'medium', 'high' or { tokens }")
    },
  )
})

describe('the option facts', () => {
  it('overrides the table, and silences what is assumed about an unknown model', async () => {
    const { lm, losses, bodies } = await start(anthropicMessages, claude('Hello'), {
      model: 'my-deployment',
      facts: { maxOutputTokens: 32_000 },
    })
    await lm.generate(request)
    expect(bodies()).toMatchObject([{ max_tokens: 32_000 }])
    expect(losses).toEqual([])
  })

  it("applies to replies too: without strict mode, a null isn't removed from the arguments", async () => {
    const parameters = { type: 'object', properties: { days: { type: 'integer' } } }
    const strict = {
      ...request,
      strictTools: true,
      tools: [{ type: 'function', function: { ...tools[0].function, parameters } }],
    } as const
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'search', arguments: '{"days":null}' } }]
    const reply = { choices: [{ message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }] }
    const sent = async (facts: CreateLMOptions['facts']) => {
      const { lm } = await start(openaiChat, reply, { model: 'gpt-5.4', facts })
      const deltas: LMDelta[] = []
      for await (const delta of lm.stream(strict)) deltas.push(delta)
      return [await lm.generate(strict), collectDeltas(deltas)].map(({ toolCalls }) => toolCalls[0]?.arguments)
    }
    expect(await sent(undefined)).toEqual(['{}', '{}'])
    expect(await sent({ strictTools: false })).toEqual(['{"days":null}', '{"days":null}'])
  })

  it('is reported if it is missing for an unknown model of an API that requires a limit', async () => {
    const { lm, losses, bodies } = await start(anthropicMessages, claude('Hello'), { model: 'my-deployment' })
    await lm.generate(request)
    expect(bodies()).toMatchObject([{ max_tokens: 4_096 }])
    expect(losses).toMatchObject([{ path: '/model', keyword: 'maxOutputTokens', action: 'assumed' }])
    expect(losses[0]?.note).toContain('Set facts.maxOutputTokens.')
  })
})

describe('the option onLoss', () => {
  const lossy: LMRequest = { ...request, settings: { seed: 1 } }
  const image = { type: 'file', mediaType: 'audio/wav', source: { base64: 'AAAA' } } as const

  it('is called once for a loss that every request has', async () => {
    const { lm, losses } = await start(anthropicMessages, claude('Hello'))
    await lm.generate(lossy)
    await lm.generate({ ...lossy, messages: [...request.messages, { role: 'assistant', content: 'Hello' }] })
    expect(losses).toMatchObject([{ path: '/settings/seed' }])
    await lm.generate({ ...lossy, settings: { seed: 1, presencePenalty: 1 } })
    expect(losses).toMatchObject([{ path: '/settings/seed' }, { path: '/settings/presencePenalty' }])
  })

  it('is called once for each message, wherever it stands', async () => {
    const { lm, losses } = await start(anthropicMessages, claude('Hello'))
    const message = () => ({ role: 'user', content: '[audio/wav]', parts: [image] }) as const
    const [first, second] = [message(), message()]
    for (const messages of [[first], [...request.messages, first], [first, second], [second]]) await lm.generate({ messages })
    expect(losses.map(({ path }) => path)).toEqual(['/messages/0/parts/0', '/messages/1/parts/0'])
  })
})

describe('a reply that its length limit truncates', () => {
  it('has the limit of the request', async () => {
    const { lm } = await start(anthropicMessages, claude('Hel', 'max_tokens'))
    const reply = await lm.generate({ ...request, settings: { maxOutputTokens: 2 } })
    expect(reply).toMatchObject({ finishReason: 'length', outputLimit: { tokens: 2, isMaximum: false } })
  })

  it('has the limit of the model if the request sets none or a larger one', async () => {
    const { lm } = await start(anthropicMessages, claude('Hel', 'max_tokens'))
    const outputLimit = { tokens: 128_000, isMaximum: true }
    expect(await lm.generate(request)).toMatchObject({ outputLimit })
    expect(await lm.generate({ ...request, settings: { maxOutputTokens: 500_000 } })).toMatchObject({ outputLimit })
  })

  it('has it in the stream too', async () => {
    const { lm } = await start(openaiChat, chat('Hel', 'length'), { model: 'gpt-4o' })
    const deltas: LMDelta[] = []
    for await (const delta of lm.stream({ ...request, settings: { maxOutputTokens: 3 } })) deltas.push(delta)
    expect(collectDeltas(deltas)).toMatchObject({ text: 'Hel', outputLimit: { tokens: 3, isMaximum: false } })
  })

  it('has none if neither limit is known, and a complete reply has none', async () => {
    const { lm } = await start(openaiChat, chat('Hel', 'length'), { model: 'my-model' })
    expect(await lm.generate(request)).not.toHaveProperty('outputLimit')
    const complete = await start(openaiChat, chat('Hello'), { model: 'gpt-4o' })
    expect(await complete.lm.generate(request)).not.toHaveProperty('outputLimit')
  })
})

describe('a model that its provider serves on another API', () => {
  it('is refused before the request, with the API to use', async () => {
    const { lm, bodies } = await start(openaiChat, chat('Hello'), { model: 'gpt-5-pro' })
    await expect(lm.generate(request)).rejects.toMatchObject({
      name: 'AdapterError',
      code: 'unsupported_by_model',
      message: expect.stringContaining('Use "openai-responses"'),
    })
    expect(bodies()).toEqual([])
  })

  it('is sent if the facts say so', async () => {
    const { lm, bodies } = await start(openaiChat, chat('Hello'), { model: 'gpt-5-pro', facts: { wires: ['openai-chat'] } })
    await lm.generate(request)
    expect(bodies()).toHaveLength(1)
  })

  it('is refused with tools if it accepts none', async () => {
    const { lm, bodies } = await start(openaiChat, chat('Hello'), { model: 'gpt-5-chat-latest' })
    await expect(lm.generate({ ...request, tools })).rejects.toThrow('The model "gpt-5-chat-latest" doesn\'t accept tools.')
    await lm.generate(request)
    expect(bodies()).toHaveLength(1)
  })

  it('gets tools without reasoning where both are refused together, and the loss names the other API', async () => {
    const { lm, losses, bodies } = await start(openaiChat, chat('Hello'), { model: 'gpt-5.6-sol' })
    await lm.generate({ ...request, tools, settings: { temperature: 0 } })
    expect(bodies()).toMatchObject([{ reasoning_effort: 'none', temperature: 0 }])
    expect(losses).toMatchObject([{ path: '/reasoning', action: 'refused', note: expect.stringContaining('openaiResponses') }])
  })
})

it('a server that refuses a parameter is an error with its message, and is not asked again', async () => {
  const message = "Unsupported parameter: 'temperature' is not supported with this model."
  const error = { error: { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_parameter' } }
  const { lm, bodies } = await start(openaiResponses, error, { model: 'my-model', retries: 2 }, 400)
  await expect(lm.generate({ ...request, settings: { temperature: 0 } })).rejects.toMatchObject({
    code: 'http_error',
    status: 400,
    providerCode: 'unsupported_parameter',
    retryable: false,
    message: expect.stringContaining(message),
  })
  expect(bodies()).toHaveLength(1)
})
