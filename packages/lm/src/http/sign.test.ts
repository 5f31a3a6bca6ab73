import { openaiChat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { sendJson, serve } from '../../test/server.ts'
import { type CreateLMOptions, createLM, LMError, type SignedRequest } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const hello = { choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }
const at = (baseURL: string, options: Partial<CreateLMOptions>) =>
  createLM({ wire: openaiChat, baseURL, model: 'm', retries: { baseDelayMs: 0 }, ...options })

describe('a signature', () => {
  it('is computed from the request for each attempt, and overrides other headers', async () => {
    const server = await serve((reply) => (server.received.length === 1 ? reply.writeHead(503).end() : sendJson(reply, hello)))
    const signed: SignedRequest[] = []
    const sign = async (sent: SignedRequest) => {
      signed.push(sent)
      return { authorization: `Signed ${signed.length}` }
    }
    const options = { wire: openaiChat, baseURL: server.baseURL, model: 'm', apiKey: 'sk-123', retries: { baseDelayMs: 0 } }
    await createLM({ ...options, sign }).generate(request)
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Signed 1', 'Signed 2'])
    expect(signed[0]).toMatchObject({
      url: `${server.baseURL}/chat/completions`,
      headers: { 'content-type': 'application/json' },
    })
    expect(JSON.parse(signed[0]?.body ?? '')).toEqual(server.received[0]?.body)
  })

  it('replaces a header in another case, so that no other key is sent', async () => {
    const server = await serve((reply) => sendJson(reply, hello))
    const sign = () => ({ Authorization: 'Signed 1', 'Content-Type': 'application/json; signed' })
    await at(server.baseURL, { apiKey: 'sk-12345678', sign }).generate(request)
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Signed 1',
      'content-type': 'application/json; signed',
    })
  })

  it('makes the request fail without sending or retrying it, if `sign` fails', async () => {
    const server = await serve((reply) => sendJson(reply, hello))
    const reason = new Error('no credentials')
    let asked = 0
    const failing = [
      () => Promise.reject(reason),
      () => {
        throw reason
      },
    ]
    for (const sign of failing) {
      const counting = () => {
        asked++
        return sign()
      }
      const lm = at(server.baseURL, { sign: counting })
      await expect(lm.generate(request)).rejects.toMatchObject({
        name: 'LMError',
        message: `Cannot sign the request to ${server.host}: no credentials`,
        retryable: false,
        cause: reason,
      })
    }
    expect([asked, server.received]).toEqual([2, []])
  })

  it('decides about a retry if `sign` fails with an LMError', async () => {
    const server = await serve((reply) => sendJson(reply, hello))
    let asked = 0
    const sign = () => {
      if (++asked === 1) throw new LMError('unreachable', 'No token just now.', { retryable: true })
      return {}
    }
    expect((await at(server.baseURL, { sign }).generate(request)).text).toBe('Hello.')
    expect(asked).toBe(2)
  })

  it('is reported without its value, and not retried, if HTTP does not allow it', async () => {
    let asked = 0
    const sign = () => {
      asked++
      return { 'x-token': 'secret-token\nx' }
    }
    const lm = at('http://host.test', { sign, fetch: () => Promise.reject(new Error('sent')) })
    const error: unknown = await lm.generate(request).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: 'Cannot sign the request to host.test: the header "x-token" contains a character that HTTP does not allow.',
      retryable: false,
    })
    expect(asked).toBe(1)
  })

  it('appears in no error, even if two requests run at once', async () => {
    const waiting: (() => void)[] = []
    const server = await serve((reply, { headers }) => {
      waiting.push(() => sendJson(reply, { error: `Bad signature: ${headers.authorization}` }, 401))
      if (waiting.length === 2) for (const answer of waiting) answer()
    })
    let count = 0
    const lm = at(server.baseURL, { sign: () => ({ authorization: `Signed signature-${++count}` }) })
    const message = `${server.host} returned 401: Bad signature: Signed [redacted]`
    const first = expect(lm.generate(request)).rejects.toMatchObject({ message })
    await expect(lm.generate(request)).rejects.toMatchObject({ message })
    await first
  })
})
