import { bedrockConverse, gemini } from '@x/adapters/wire'
import { describe, expect, it } from 'vitest'
import { type EndpointOptions, endpointOf, headersOf } from './endpoint.ts'

const options = (more: Partial<EndpointOptions>): EndpointOptions => ({
  wire: { path: '/chat' },
  baseURL: 'http://host.test/v1',
  model: 'm',
  ...more,
})
const url = (more: Partial<EndpointOptions>, stream = false) => endpointOf(options(more), stream)

describe('the address of a request', () => {
  it('consists of the base URL and the path of the wire', () => {
    expect(url({})).toBe('http://host.test/v1/chat')
    expect(url({ baseURL: 'http://host.test/v1///' })).toBe('http://host.test/v1/chat')
  })

  it('may depend on the model, and on whether a stream is requested', () => {
    const path = (model: string, stream: boolean) => `/models/${model}:${stream ? 'stream?alt=sse' : 'whole'}`
    expect(url({ wire: { path } })).toBe('http://host.test/v1/models/m:whole')
    expect(url({ wire: { path } }, true)).toBe('http://host.test/v1/models/m:stream?alt=sse')
  })

  it('never leaves the base URL, whatever the name of the model', () => {
    const path = (model: string) => `/models/${model}/chat`
    for (const model of ['..', '.', '../../admin', 'a/../..', '%2e%2E', '..\\..'])
      expect(() => url({ wire: { path }, model }), model).toThrow(/outside the base URL/)
    expect(() => url({ baseURL: 'http://host.test', wire: { path: '@evil.test/' } })).toThrow(/outside the base URL/)
    for (const model of ['a.b', 'a..b', '...', 'a/b'])
      expect(url({ wire: { path }, model })).toContain(`/v1/models/${model}/chat`)
    expect(() => url({ wire: gemini, model: '../../v1/cachedContents/x' })).toThrow(/outside the base URL/)
    expect(() => url({ wire: bedrockConverse, model: '..' })).toThrow(/outside the base URL/)
  })

  it('has the queries of the base URL and of the path', () => {
    expect(url({ baseURL: 'http://host.test/v1?api-version=1' })).toBe('http://host.test/v1/chat?api-version=1')
    const both = url({ baseURL: 'http://host.test/v1/?api-version=1', wire: { path: '/chat?alt=sse' } })
    expect(both).toBe('http://host.test/v1/chat?api-version=1&alt=sse')
  })
})

describe('the headers of a request', () => {
  it("contain the key in the wire's own header, otherwise as a bearer token", () => {
    expect(headersOf(options({ apiKey: 'k' }))).toMatchObject({ authorization: 'Bearer k' })
    const authHeaders = (apiKey: string) => ({ 'x-api-key': apiKey })
    expect(headersOf(options({ apiKey: 'k', wire: { path: '/', authHeaders, headers: { 'api-version': '1' } } }))).toEqual({
      'api-version': '1',
      'content-type': 'application/json',
      'x-api-key': 'k',
    })
  })

  it("are replaced by the caller's, in any case", () => {
    const headers = { Authorization: 'Basic x', 'CONTENT-TYPE': 'application/vnd.json' }
    expect(headersOf(options({ apiKey: 'k', headers }))).toEqual({
      authorization: 'Basic x',
      'content-type': 'application/vnd.json',
    })
  })
})
