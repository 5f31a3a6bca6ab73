import { describe, expect, it, vi } from 'vitest'
import { repeatingFetch } from './repeating-fetch.ts'

const URL = 'https://shop.example/mcp'
const post = (body: unknown, headers = {}) => ({ method: 'POST', body: JSON.stringify(body), headers })
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'pay' } }
const answer = { jsonrpc: '2.0', id: 3, result: { action: 'accept' } }

/** Returns how often a request was sent whose connection is always lost. */
async function timesSent(times: number, ...request: Parameters<typeof fetch>): Promise<number> {
  const lose = vi.fn(async () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })))
  await expect(repeatingFetch(lose, times)(...request)).rejects.toThrow('fetch failed')
  return lose.mock.calls.length
}

describe('a request whose connection is lost is repeated', () => {
  it.each([
    ['a protocol request', post(list)],
    ['a batch of protocol messages', post([list, { jsonrpc: '2.0', method: 'notifications/initialized' }])],
    ['a stream or metadata', {}],
    ['the end of a session', { method: 'DELETE' }],
  ])('for %s', async (_, init) => {
    expect(await timesSent(2, URL, init)).toBe(3)
    expect(await timesSent(0, URL, init)).toBe(1)
  })

  it.each([
    ['a call', post(call)],
    ['a batch with a call', post([list, call])],
    ['an answer to a question', post(answer)],
    ['the registration of a client', post({ client_name: 'shop' })],
    ['a request for a token', { method: 'POST', body: 'grant_type=authorization_code&code=1' }],
    ['a request for a token with parameters', { method: 'POST', body: new URLSearchParams({ code: '1' }) }],
    ['a post without a body', { method: 'POST' }],
    ['a request with a DPoP proof', post(list, { DPoP: 'proof' })],
    ['an empty batch', post([])],
    ['a list of something else', post([null])],
  ])('but not for %s', async (_, init) => {
    expect(await timesSent(2, URL, init)).toBe(1)
  })

  it('but not for a request object, whose body can be read only once', async () => {
    expect(await timesSent(2, new Request(URL, post(list)))).toBe(1)
  })

  it.each([
    ['it was aborted', new DOMException('Aborted.', 'AbortError')],
    ['the server refused the connection', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
    ['the error has no code', new TypeError('Failed to fetch')],
    ['the error is null', null],
  ])('but not if %s', async (_, error) => {
    const fail = vi.fn(() => Promise.reject(error))
    await expect(repeatingFetch(fail, 2)(URL, post(list))).rejects.toBe(error)
    expect(fail).toHaveBeenCalledTimes(1)
  })

  it('until it succeeds', async () => {
    const lost = new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } })
    const send = vi.fn(async () => new Response('ok')).mockRejectedValueOnce(lost)
    expect(await (await repeatingFetch(send, 2)(URL, post(list))).text()).toBe('ok')
    expect(send).toHaveBeenCalledTimes(2)
  })
})
