import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anthropic,
  cohere,
  google,
  mistral,
  ollama,
  openai,
  openaiCompatible,
  type PresetLM,
  type PresetOptions,
} from './index.ts'

const NAMES = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'GOOGLE', 'MISTRAL', 'CO', 'COHERE', 'GROQ', 'XAI', 'DEEPSEEK', 'TOGETHER']

// The result must not depend on the environment of the tests.
beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(`${name}_API_KEY`, '')
})
afterEach(() => void vi.unstubAllEnvs())

interface Sent {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: { readonly model?: string; readonly stream?: boolean }
}

/** The requests that a model sends for `generate` and `stream`. */
async function sentBy(create: (options: PresetOptions) => PresetLM): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const fetch = async (url: unknown, { headers, body }: RequestInit = {}) => {
    sent.push({ url: String(url), headers: headers as Sent['headers'], body: JSON.parse(String(body)) })
    return new Response('', { status: 400 })
  }
  const lm = create({ model: 'some-model', fetch })
  const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
  await expect(lm.generate(request)).rejects.toMatchObject({ status: 400 })
  await expect(lm.stream(request)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 400 })
  expect(lm.model).toBe('some-model')
  return sent
}

const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/some-model'

describe('a preset', () => {
  it.each([
    ['OPENAI_API_KEY', openai, 'https://api.openai.com/v1/responses', 'authorization', 'Bearer sk-1234'],
    ['ANTHROPIC_API_KEY', anthropic, 'https://api.anthropic.com/v1/messages', 'x-api-key', 'sk-1234'],
    ['GEMINI_API_KEY', google, `${GEMINI}:generateContent`, 'x-goog-api-key', 'sk-1234'],
    ['GOOGLE_API_KEY', google, `${GEMINI}:generateContent`, 'x-goog-api-key', 'sk-1234'],
    ['MISTRAL_API_KEY', mistral, 'https://api.mistral.ai/v1/chat/completions', 'authorization', 'Bearer sk-1234'],
    ['CO_API_KEY', cohere, 'https://api.cohere.com/v2/chat', 'authorization', 'Bearer sk-1234'],
    ['COHERE_API_KEY', cohere, 'https://api.cohere.com/v2/chat', 'authorization', 'Bearer sk-1234'],
  ] as const)('takes its key from %s', async (name, create, url, header, value) => {
    vi.stubEnv(name, 'sk-1234')
    const [whole] = await sentBy(create)
    expect(whole).toMatchObject({ url, headers: { [header]: value } })
  })

  it.each([
    [openai, 'openai needs a key. Set OPENAI_API_KEY in the environment, or pass `apiKey`.'],
    [google, 'google needs a key. Set GEMINI_API_KEY or GOOGLE_API_KEY in the environment, or pass `apiKey`.'],
  ])('without a key, throws at creation and says what to set: %s', (create, message) => {
    expect(() => create({ model: 'm' })).toThrow(expect.objectContaining({ code: 'missing_setting', message }))
  })

  it('reads the environment when it is created, not later', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-first')
    const [sent] = await sentBy((options) => {
      const lm = openai(options)
      vi.stubEnv('OPENAI_API_KEY', 'sk-second')
      return lm
    })
    expect(sent?.headers.authorization).toBe('Bearer sk-first')
  })

  it("uses the caller's key and address", async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-environment')
    const [sent] = await sentBy((options) => anthropic({ ...options, apiKey: 'sk-own', baseURL: 'http://proxy.test/claude' }))
    expect(sent).toMatchObject({ url: 'http://proxy.test/claude/messages', headers: { 'x-api-key': 'sk-own' } })
    expect(sent?.headers['anthropic-version']).toBe('2023-06-01')
  })
})

describe('openai', () => {
  it('uses Chat Completions on request', async () => {
    const [whole, streamed] = await sentBy((options) => openai({ ...options, apiKey: 'k', api: 'chat' }))
    expect(whole?.url).toBe('https://api.openai.com/v1/chat/completions')
    expect(streamed?.body).toMatchObject({ model: 'some-model', stream: true })
  })
})

describe('google', () => {
  it('requests server-sent events', async () => {
    const [, streamed] = await sentBy((options) => google({ ...options, apiKey: 'k' }))
    expect(streamed?.url).toBe(`${GEMINI}:streamGenerateContent?alt=sse`)
  })
})

describe('ollama', () => {
  it('needs no key', async () => {
    const [sent] = await sentBy(ollama)
    expect(sent?.url).toBe('http://127.0.0.1:11434/api/chat')
    expect(sent?.headers).not.toHaveProperty('authorization')
  })
})

describe('openaiCompatible', () => {
  it.each([
    ['groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1/chat/completions'],
    ['xai', 'XAI_API_KEY', 'https://api.x.ai/v1/chat/completions'],
    ['deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/chat/completions'],
    ['together', 'TOGETHER_API_KEY', 'https://api.together.xyz/v1/chat/completions'],
  ] as const)('supports %s, with the key in %s', async (host, name, url) => {
    expect(() => openaiCompatible({ host, model: 'm' })).toThrow(`${host} needs a key. Set ${name} in the environment`)
    vi.stubEnv(name, 'sk-1234')
    const [sent] = await sentBy((options) => openaiCompatible({ ...options, host }))
    expect(sent).toMatchObject({ url, headers: { authorization: 'Bearer sk-1234' } })
  })

  it('needs no key for your own server, whether it is known or not', async () => {
    const [known] = await sentBy((options) => openaiCompatible({ ...options, host: 'llamaCpp' }))
    expect(known?.url).toBe('http://localhost:8080/v1/chat/completions')
    const [other] = await sentBy((options) => openaiCompatible({ ...options, baseURL: 'http://localhost:9/v1' }))
    expect(other?.url).toBe('http://localhost:9/v1/chat/completions')
    expect(other?.headers).not.toHaveProperty('authorization')
  })

  it('refuses an unknown host, and options without host and baseURL', () => {
    const unknown = () => openaiCompatible({ host: 'toString' as never, model: 'm' })
    expect(unknown).toThrow(/^openaiCompatible: host "toString" is unknown\. Known hosts: groq, xai, /)
    expect(() => openaiCompatible({ model: 'm' } as never)).toThrow('baseURL "" is not an HTTP URL')
  })
})
