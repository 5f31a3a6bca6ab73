import { anthropicMessages, bedrockConverse, gemini, openaiChat, type WireFormat } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { sendJson, serve } from '../../test/server.ts'
import { type CreateLMOptions, createLM, LMError } from '../index.ts'

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const
const KEY = 'sk-very-secret-key-0123456789'
const at = (baseURL: string, options: Partial<CreateLMOptions> = {}) =>
  createLM({ wire: openaiChat, baseURL, model: 'm', apiKey: KEY, retries: 0, ...options })

const failureOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => 'no failure',
    (error: unknown) => error,
  )

/** Returns the error of both methods, which must be the same. */
async function errorOf(lm: ReturnType<typeof createLM>): Promise<LMError> {
  const error = (await failureOf(lm.generate(request))) as LMError
  expect(error).toBeInstanceOf(LMError)
  const streamed = await failureOf(lm.stream(request)[Symbol.asyncIterator]().next())
  expect(JSON.stringify(streamed)).toBe(JSON.stringify(error))
  expect(error.message).not.toContain(KEY)
  expect(error.message).not.toContain('\n')
  return error
}

describe('an address', () => {
  it('is refused at creation if it is invalid', () => {
    for (const baseURL of ['', 'nonsense', 'localhost:8080/v1', '/v1', 'ftp://host/v1', undefined as never]) {
      expect(() => at(baseURL)).toThrow(TypeError)
      expect(() => at(baseURL)).toThrow('is not an HTTP URL. Pass e.g. "http://localhost:8080/v1".')
    }
  })

  it('is refused at creation if it has a user name or password, without showing them', () => {
    const failing = () => at('https://ada:lovelace@host.test/v1')
    expect(failing).toThrow('Send them in `headers`')
    expect(failing).not.toThrow('lovelace')
  })

  it('gives a message on one line that names the host and the cause if the connection is refused', async () => {
    // No server listens on this port.
    const host = '127.0.0.1:2'
    const error = await errorOf(at(`http://${host}/v1`))
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `Cannot reach ${host}: connect ECONNREFUSED ${host}`,
    })
    expect(error.status).toBeUndefined()
    expect(error.cause).toBeInstanceOf(Error)
  })
})

describe('a header', () => {
  it('is refused at creation if HTTP does not allow it, without showing its value', () => {
    const failing = () => at('http://host.test', { apiKey: `${KEY}\nx` })
    expect(failing).toThrow('createLM: the header "authorization" contains a character that HTTP does not allow.')
    expect(failing).not.toThrow(KEY)
  })
})

describe('an error status', () => {
  it("is reported with the provider's message, in any format", async () => {
    const bodies = [{ error: { message: 'No.' } }, { error: 'No.' }, { message: 'No.' }, { detail: 'No.' }]
    for (const status of [400, 401, 429, 500, 503]) {
      const server = await serve((reply) => sendJson(reply, bodies[status % bodies.length], status))
      expect(await errorOf(at(server.baseURL))).toMatchObject({
        code: 'http_error',
        status,
        message: `${server.host} returned ${status}: No.`,
      })
    }
  })

  it('is reported with the path for a 404', async () => {
    const server = await serve((reply) => reply.writeHead(404).end())
    const { pathname } = new URL(server.baseURL)
    const path = `${pathname.replace(/\/$/, '')}/chat/completions`
    expect((await errorOf(at(server.baseURL))).message).toBe(`${server.host} returned 404 at ${path}`)
  })

  it('is reported with the start of a page on one line', async () => {
    const page = `<!doctype html>\n<title>502</title>\n${'<p>'.repeat(10_000)}`
    const server = await serve((reply) => reply.writeHead(502, { 'content-type': 'text/html' }).end(page))
    const { message } = await errorOf(at(server.baseURL))
    expect(message).toContain(`${server.host} returned 502: <!doctype html> <title>502</title>`)
    expect(message.length).toBeLessThan(400)
  })

  it('is reported alone if there is no body', async () => {
    const server = await serve((reply) => reply.writeHead(500).end())
    expect((await errorOf(at(server.baseURL))).message).toBe(`${server.host} returned 500`)
  })

  it('is reported even if the body is truncated', async () => {
    const server = await serve((reply) => {
      reply.writeHead(500, { 'content-length': 100 }).write('{"err', () => reply.socket?.destroy())
    })
    expect(await errorOf(at(server.baseURL))).toMatchObject({ code: 'http_error', status: 500 })
  })

  it('is reported without a key that the provider repeats', async () => {
    const server = await serve((reply, { headers }) => sendJson(reply, { error: `Bad key ${headers.authorization}` }, 401))
    expect((await errorOf(at(server.baseURL))).message).toBe(`${server.host} returned 401: Bad key Bearer [redacted]`)
    const headers = { 'X-Api-Key': KEY }
    const byHeader = at(server.baseURL, { apiKey: undefined, headers: { ...headers, authorization: `Bearer ${KEY}` } })
    expect((await errorOf(byHeader)).message).toBe(`${server.host} returned 401: Bad key Bearer [redacted]`)
  })

  it('is reported without a key in the error code or the request id', async () => {
    const server = await serve((reply, { headers }) => {
      reply.setHeader('x-request-id', `id of ${headers.authorization}`)
      sendJson(reply, { error: { message: 'No.', code: `bad_key_${headers.authorization}` } }, 401)
    })
    expect(await errorOf(at(server.baseURL))).toMatchObject({
      providerCode: 'bad_key_Bearer [redacted]',
      requestId: 'id of Bearer [redacted]',
    })
    const inside = await serve((reply, { headers }) =>
      sendJson(reply, { error: { message: 'No.', code: `${headers.authorization}` } }),
    )
    expect(await errorOf(at(inside.baseURL))).toMatchObject({ code: 'provider_error', providerCode: 'Bearer [redacted]' })
  })

  it("is reported with Bedrock's code, which is in a header", async () => {
    const server = await serve((reply) => {
      reply.setHeader('x-amzn-errortype', 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/')
      sendJson(reply, { message: 'Too many tokens.' }, 429)
    })
    const error = await errorOf(at(server.baseURL, { wire: bedrockConverse }))
    expect(error).toMatchObject({ status: 429, providerCode: 'ThrottlingException' })
    expect(error.message).toBe(`${server.host} returned 429: Too many tokens.`)
  })

  it('is reported with the delay that Google asks for, which is in the body', async () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.0748s' }
    const body = {
      error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED', details: [{ links: [] }, info] },
    }
    const server = await serve((reply) => reply.writeHead(429).end(JSON.stringify(body, null, 2)))
    expect(await errorOf(at(server.baseURL, { wire: gemini }))).toMatchObject({ retryable: true, retryAfterMs: 34_075 })
  })

  it('is reported even if the wire format cannot read the body', async () => {
    const server = await serve((reply) => sendJson(reply, { oops: 'No.' }, 503))
    const fault = new TypeError('Cannot read properties of undefined')
    const failing = (): never => {
      throw fault
    }
    for (const broken of [
      { decodeError: failing },
      { decodeFailure: failing },
      { decodeError: failing, decodeFailure: failing },
    ]) {
      const error = await errorOf(at(server.baseURL, { wire: { ...openaiChat, ...broken } }))
      expect(error).toMatchObject({ code: 'http_error', status: 503, retryable: true, cause: fault })
      expect(error.message).toBe(`${server.host} returned 503: {"oops":"No."}`)
    }
  })

  it('is reported for a wire format with two functions too', async () => {
    const wire: WireFormat<object, { say: string }> = {
      name: 'acme',
      path: '/generate',
      encode: () => ({}),
      decode: ({ say }) => ({ text: say, toolCalls: [] }),
    }
    const server = await serve((reply) => sendJson(reply, { error: 'No.' }, 429))
    expect(await errorOf(at(server.baseURL, { wire }))).toMatchObject({ status: 429, message: expect.stringContaining('No.') })
  })
})

describe('a reply of status 200', () => {
  it('is quoted with the host, on one line, if it is not JSON', async () => {
    const server = await serve((reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n<p>Sign in'))
    expect(await errorOf(at(server.baseURL))).toMatchObject({
      code: 'invalid_reply',
      message: `${server.host} sent a reply that is not JSON: <html> <p>Sign in`,
    })
  })

  it('pitfall 11: is an error if it contains one', async () => {
    const server = await serve((reply) => sendJson(reply, { error: { message: 'Over\nloaded' } }))
    expect(await errorOf(at(server.baseURL))).toMatchObject({
      code: 'provider_error',
      message: `${server.host} reported an error: Over loaded`,
    })
  })

  it('is reported with the name of the wire format if that cannot read it', async () => {
    const wire: WireFormat<object, { calls: string[] }> = {
      name: 'acme',
      path: '/generate',
      encode: () => ({}),
      decode: ({ calls }) => ({ text: calls.join(), toolCalls: [] }),
    }
    const server = await serve((reply) => sendJson(reply, { say: 'x' }))
    const error = await errorOf(at(server.baseURL, { wire }))
    expect(error.code).toBe('invalid_reply')
    expect(error.message).toContain('wire format "acme" cannot read: Cannot read properties of undefined')
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  it('is reported with the host and the cause if it is truncated', async () => {
    const server = await serve((reply) => {
      const head = { 'content-type': 'application/json', 'content-length': 100 }
      reply.writeHead(200, head).write('{"choices"', () => reply.socket?.destroy())
    })
    const error = await errorOf(at(server.baseURL))
    expect(error.code).toBe('unreachable')
    expect(error.message).toMatch(new RegExp(`^Cannot reach ${server.host}: .+`))
  })
})

describe("the caller's fetch", () => {
  it('may throw synchronously, like any other error', async () => {
    const fetch = () => {
      throw new Error('no network here')
    }
    const error = await errorOf(at('http://host.test', { fetch }))
    expect(error).toMatchObject({ code: 'unreachable', message: 'Cannot reach host.test: no network here' })
  })
})

describe("the caller's onLoss", () => {
  it('refuses a request by throwing: the error is the same each time, and nothing is sent', async () => {
    const server = await serve((reply) => reply.end())
    const refusal = new Error('This model must take everything.')
    const onLoss = () => {
      throw refusal
    }
    const lm = at(server.baseURL, { onLoss, wire: anthropicMessages })
    const lossy = { ...request, settings: { seed: 1 } }
    for (let time = 0; time < 2; time++) {
      await expect(lm.generate(lossy)).rejects.toBe(refusal)
      await expect(lm.stream(lossy)[Symbol.asyncIterator]().next()).rejects.toBe(refusal)
    }
    expect(server.received).toEqual([])
  })
})
