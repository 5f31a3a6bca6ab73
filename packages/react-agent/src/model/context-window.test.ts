import { type LM, type LMRequest, type Message, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { pause } from '../../test/approval/payments.ts'
import { event, onFakeClock } from '../../test/clock.ts'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import type { ReactAgentOptions } from '../options.ts'
import { LEFT_OUT } from '../prompts.ts'
import { createReactAgent } from '../react-agent.ts'
import { isTooLong } from './context-window.ts'

/** Creates a model that calls a tool `turns` times, then answers. It rejects a request with more messages than fit. */
function shortSighted(
  turns: number,
  most: number,
  reply = (n: number) => ({ text: '', toolCalls: [call('get_weather', { city: `City ${n}` }, `c${n}`)] }),
) {
  const requests: LMRequest[] = []
  const lm: LM = {
    generate: async (request) => {
      requests.push({ ...request, messages: [...request.messages] })
      if (request.messages.length > most) throw new Error("This model's maximum context length is exceeded.")
      const done = requests.filter(({ messages }) => messages.length <= most).length
      return done > turns ? { text: 'Done.', toolCalls: [] } : reply(done)
    },
  }
  return { lm, requests }
}

const run = async (lm: LM, rest: Partial<ReactAgentOptions<typeof answer>> = {}, history?: readonly Message[]) =>
  (await createReactAgent({ lm, tools: [getWeather], signature: answer, maxSteps: 20, ...rest })).run(
    { question: 'The task.' },
    { history },
  )

describe('T4-30: a conversation that is too long', () => {
  it('is shortened by its oldest turns but never by the task or the last turn, and the trajectory keeps everything', async () => {
    const { lm, requests } = shortSighted(8, 9)
    const { outputs, trajectory } = await run(lm)
    expect(outputs).toEqual({ answer: 'Done.' })
    expect(trajectory.messages).toHaveLength(1 + 8 * 2 + 1)
    const sent = requests.at(-1)?.messages ?? []
    expect(sent.slice(1, 3)).toEqual([
      { role: 'user', content: 'The task.' },
      { role: 'user', content: LEFT_OUT },
    ])
    expect(sent.at(-1)).toMatchObject({ role: 'tool', callId: 'c8' })
  })

  it('loses the messages of earlier runs first', async () => {
    const history: Message[] = Array.from({ length: 4 }, (_, n) => [
      { role: 'user' as const, content: `Before ${n}` },
      { role: 'assistant' as const, content: `Answer ${n}` },
    ]).flat()
    const { lm, requests } = shortSighted(2, 8)
    await run(lm, {}, history)
    const contents = requests.find(({ messages }) => messages.some(({ content }) => content === LEFT_OUT))?.messages.slice(1, 4)
    expect(contents?.map(({ content }) => content)).toEqual([LEFT_OUT, 'Before 2', 'Answer 2'])
  })

  it('stays shortened when a run pauses and is resumed', async () => {
    const summarize = () => 'Six cities were looked up.'
    const { lm, requests } = shortSighted(8, 9, (n) => ({
      text: '',
      toolCalls: [call(n === 8 ? 'ask' : 'get_weather', { city: `City ${n}` }, `c${n}`)],
    }))
    const ask = { ...getWeather, name: 'ask', needsApproval: true }
    const options = { lm, tools: [getWeather, ask], signature: answer, maxSteps: 20, contextWindow: { summarize } }
    const agent = await createReactAgent(options)
    const { paused } = await agent.run({ question: 'The task.' }).then(
      () => ({ paused: undefined }),
      (error) => error,
    )
    const before = requests.at(-1)?.messages ?? []
    expect(before.map(({ content }) => content)).toContain('Six cities were looked up.')
    const sent = requests.length
    await agent.resume(JSON.parse(JSON.stringify(paused)), { c8: true })
    const after = requests[sent]
    // The next request starts with the last one, followed by the paused turn with its result.
    expect(after?.messages.slice(0, before.length)).toEqual(before)
    expect(after?.messages).toHaveLength(before.length + 2)
  })

  it('is shortened by the first request after a pause if the last reply exceeded `maxTokens`', async () => {
    const ask = { ...getWeather, name: 'ask', needsApproval: true }
    const turns = ['get_weather', 'get_weather', 'ask'].map((name, n) => {
      return { toolCalls: [call(name, { city: `City ${n}` }, `c${n}`)], usage: { inputTokens: 600 * n } }
    })
    const lm = scriptedLM([...turns, { text: 'Done.' }])
    const contextWindow = { maxTokens: 1000 }
    const agent = await createReactAgent({ lm, tools: [getWeather, ask], signature: answer, contextWindow })
    const paused = await pause(agent.run({ question: 'The task.' }))
    await agent.resume(paused, { c2: true })
    expect(lm.requests.at(-1)?.messages.map(({ content }) => content)).toContain(LEFT_OUT)
  })

  it('fails with the cause when nothing more can be left out', async () => {
    const { lm, requests } = shortSighted(1, 0)
    await expect(run(lm)).rejects.toMatchObject({
      code: 'context_overflow',
      cause: { message: expect.stringContaining('maximum context') },
    })
    expect(requests).toHaveLength(1)
  })

  it("isn't assumed for a rate limit: nothing is left out, and the run fails with that error", async () => {
    const cause = Object.assign(new Error('Too many tokens, please wait before trying again.'), { status: 429, retryable: true })
    const requests: LMRequest[] = []
    const generate: LM['generate'] = async (request) => {
      requests.push(request)
      if (requests.length > 4) throw cause
      return { text: '', toolCalls: [call('get_weather', { city: `${requests.length}` }, `c${requests.length}`)] }
    }
    await expect(run({ generate })).rejects.toMatchObject({ code: 'model_failed', cause })
    expect(requests).toHaveLength(5)
  })

  it('is sent again at most three times', async () => {
    const history: Message[] = Array.from({ length: 64 }, (_, n) => ({ role: 'user', content: `Before ${n}` }))
    const { lm, requests } = shortSighted(1, 0)
    await expect(run(lm, {}, history)).rejects.toMatchObject({ code: 'context_overflow' })
    expect(requests.map(({ messages }) => messages.length)).toEqual([66, 35, 19, 11])
  })

  it('is summarized by summarize', async () => {
    const { lm, requests } = shortSighted(4, 7)
    const summarize = async (messages: readonly Message[]) => `${messages.length} messages were here.`
    await run(lm, { contextWindow: { summarize } })
    expect(requests.at(-1)?.messages[2]).toEqual({ role: 'user', content: expect.stringMatching(/^\d messages were here\.$/) })
  })

  it('ends the run when summarize fails or never resolves', async () => {
    const cause = new RangeError('oops')
    const failing = run(shortSighted(4, 7).lm, { contextWindow: { summarize: () => Promise.reject(cause) } })
    await expect(failing).rejects.toMatchObject({ code: 'callback_failed', cause })
    const { reach, reached } = event()
    const summarize = () => {
      reach()
      return new Promise<string>(() => {})
    }
    const { lm } = shortSighted(4, 7)
    const agent = await createReactAgent({ lm, tools: [getWeather], signature: answer, contextWindow: { summarize } })
    const hanging = onFakeClock(() => agent.run({ question: '?' }, { timeoutMs: 30 }), reached)
    await expect(hanging).rejects.toMatchObject({ code: 'timed_out' })
  })

  it('is shortened before the provider rejects it if the limit is known', async () => {
    const requests: LMRequest[] = []
    const lm: LM = {
      generate: async (request) => {
        requests.push({ ...request, messages: [...request.messages] })
        const n = requests.length
        return n > 6
          ? { text: 'Done.', toolCalls: [] }
          : {
              text: '',
              toolCalls: [call('get_weather', { city: `${n}` }, `c${n}`)],
              usage: { inputTokens: request.messages.length * 10 },
            }
      },
    }
    await run(lm, { contextWindow: { maxTokens: 75 } })
    expect(Math.max(...requests.map(({ messages }) => messages.length))).toBe(9)
    expect(requests.some(({ messages }) => messages.some(({ content }) => content === LEFT_OUT))).toBe(true)
  })

  it('is shortened in text mode as well', async () => {
    const reply = (n: number) => ({
      text: `<tool_call>{"name": "get_weather", "arguments": {"city": "City ${n}"}}</tool_call>`,
      toolCalls: [],
    })
    const { lm, requests } = shortSighted(5, 7, reply)
    const { trajectory } = await run(lm, { adapter: textAdapter(hermes), maxSteps: 6 })
    expect(requests.at(-1)?.messages.some(({ content }) => content.includes(LEFT_OUT))).toBe(true)
    expect(trajectory.messages.length).toBeGreaterThan(10)
  })
})

/** A provider, with the message, status and code of its error. */
type Refused = readonly [
  provider: string,
  words: string,
  status?: number | undefined,
  code?: string | undefined,
  retryable?: true,
]

const toError = ([, words, status, providerCode, retryable]: Refused) =>
  Object.assign(new Error(words), { status, providerCode, retryable })

describe('isTooLong is true for an error', () => {
  const errors: readonly Refused[] = [
    ['OpenAI', "This model's maximum context length is 8192 tokens.", 400, 'context_length_exceeded'],
    ['OpenAI Responses', 'Your input exceeds the context window of this model.', 400],
    ['OpenAI in a stream', 'Bad request.', undefined, 'context_length_exceeded'],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 400, 'invalid_request_error'],
    ['Anthropic with its reply', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', 400],
    ['Anthropic in bytes', 'Request exceeds the maximum size', 413, 'request_too_large'],
    ['Gemini', 'The input token count (9) exceeds the maximum number of tokens allowed (8).', 400],
    ['Bedrock', 'Input is too long for requested model.', 400, 'ValidationException'],
    ['Mistral', 'Prompt contains 9 tokens, too large for model with 8 maximum context length', 422],
    ['Cohere', 'too many tokens: the total number of tokens in the prompt cannot exceed 8', 400],
    ['xAI', "This model's maximum prompt length is 8 but the request contains 9 tokens.", 400],
    ['Zhipu', 'Prompt exceeds max length', 400],
    ['a server of open models', 'length of prompt_tokens (9) must be less than max_seq_len (8).', 400],
    ['an unknown provider', 'context_length_exceeded'],
  ]
  for (const error of errors) it(error[0], () => expect(isTooLong(toError(error))).toBe(true))

  it('that has the code of another client', () => {
    expect(isTooLong(Object.assign(new Error('Bad request.'), { code: 'context_length_exceeded' }))).toBe(true)
  })
})

describe('isTooLong is false for an error', () => {
  const errors: readonly Refused[] = [
    ['OpenAI', 'Request too large for gpt-4o on tokens per min (TPM): Limit 8, Requested 9.', 429, undefined, true],
    ['Anthropic', 'This would exceed the limit of your organization.', 429, 'rate_limit_error'],
    ['Anthropic in a stream', 'Too many input tokens.', undefined, 'rate_limit_error'],
    ['Bedrock', 'Too many tokens, please wait before trying again.', 429, 'ThrottlingException'],
    ['Bedrock in a stream', 'Too many tokens.', undefined, 'throttlingException'],
    ['Bedrock, of which only the words are left', 'ThrottlingException: Too many tokens, please wait before trying again.'],
    ['Gemini', 'The request exceeds the limit of tokens.', undefined, 'RESOURCE_EXHAUSTED'],
    ['Groq', 'Request too large for model on tokens per minute (TPM)', 413, 'rate_limit_exceeded'],
    ['a broken host', 'context length', 503],
    ['a gateway that asks for a retry', 'context length', 400, undefined, true],
    ['too many requests', 'Too many requests'],
    ['a schema', 'Invalid schema', 400],
  ]
  for (const error of errors) it(error[0], () => expect(isTooLong(toError(error))).toBe(false))

  it("and for values that aren't errors", () => {
    for (const thrown of ['context length', undefined, { message: 'context length' }]) expect(isTooLong(thrown)).toBe(false)
  })
})
