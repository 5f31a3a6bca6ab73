import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { chooseLM } from './choose-lm.ts'

const RULES = { choice: { kind: 'rules' }, why: expect.stringContaining('--lm') }
/** No server listens on this port. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' }

// No timeout ends by itself, because a busy machine could exceed it.
let timeout: AbortController
beforeEach(() => {
  timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
})
afterEach(() => void vi.restoreAllMocks())

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const provider = (name: string, model: string) => ({ kind: 'provider', provider: name, model })

it('chooses the provider whose key is in the environment', async () => {
  expect(await chooseLM({ ...NO_OLLAMA, ANTHROPIC_API_KEY: 'sk-1' })).toEqual({
    choice: provider('anthropic', 'claude-sonnet-4-6'),
    why: 'ANTHROPIC_API_KEY is set',
  })
  expect(await chooseLM({ ...NO_OLLAMA, GOOGLE_API_KEY: 'k', ANTHROPIC_API_KEY: '' })).toMatchObject({
    choice: { provider: 'google' },
    why: 'GOOGLE_API_KEY is set',
  })
})

it('chooses the first model of the server at OPENAI_BASE_URL before any key', async () => {
  const host = await serve(({ url, headers }, response) => {
    const isAsked = url === '/v1/models' && headers.authorization === 'Bearer sk-1'
    response.end(JSON.stringify({ data: isAsked ? [{ id: 'local-7b' }, { id: 'other' }] : [] }))
  })
  const environment = { ...NO_OLLAMA, OPENAI_BASE_URL: `http://${host}/v1/`, OPENAI_API_KEY: 'sk-1', GROQ_API_KEY: 'k' }
  expect(await chooseLM(environment)).toEqual({ choice: provider('openai', 'local-7b'), why: 'OPENAI_BASE_URL is set' })
})

it('reports a server at OPENAI_BASE_URL that names no model, and how to name one', async () => {
  const host = await serve((_, response) => response.writeHead(404).end('{}'))
  const fix = 'Name the model: --lm openai:<model>.'
  await expect(chooseLM({ ...NO_OLLAMA, OPENAI_BASE_URL: `http://${host}/v1` })).rejects.toThrow(fix)
  await expect(chooseLM({ ...NO_OLLAMA, OPENAI_BASE_URL: 'localhost' })).rejects.toThrow('must be an HTTP URL')
})

it('chooses the first model of a local Ollama', async () => {
  const host = await serve(({ url }, response) => response.end(url === '/api/tags' ? '{"models":[{"name":"qwen3:8b"}]}' : ''))
  expect(await chooseLM({ OLLAMA_HOST: host })).toEqual({ choice: provider('ollama', 'qwen3:8b'), why: 'Ollama is running' })
  expect(await chooseLM({ OLLAMA_HOST: `http://${host}/` })).toMatchObject({ choice: provider('ollama', 'qwen3:8b') })
})

it('follows rules without a key and without Ollama, even if Ollama has no model or sends an unexpected answer', async () => {
  expect(await chooseLM(NO_OLLAMA)).toEqual(RULES)
  for (const reply of ['{"models":[]}', '{}', 'no JSON', '{"models":[{"name":7}]}'])
    expect(await chooseLM({ OLLAMA_HOST: await serve((_, response) => response.end(reply)) })).toEqual(RULES)
})

it('follows rules if Ollama does not answer in time', async () => {
  const host = await serve(() => timeout.abort())
  expect(await chooseLM({ OLLAMA_HOST: host })).toEqual(RULES)
  expect(timeout.signal.aborted).toBe(true)
  expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(300)
})
