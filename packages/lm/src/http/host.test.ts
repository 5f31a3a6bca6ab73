import { describe, expect, it } from 'vitest'
import { createHost } from './host.ts'

describe('createHost', () => {
  it('is named by host and port, without path and query', () => {
    expect(createHost('https://api.test/v1?key=1', {}).name).toBe('api.test')
    expect(createHost('http://[::1]:80/v1', {}).name).toBe('[::1]')
    expect(createHost('http://localhost:8080/v1', {}).name).toBe('localhost:8080')
  })

  it('quotes the beginning of a text, on one line', () => {
    const host = createHost('http://a.test', {})
    expect(host.quote('  a\r\n\tb  ')).toBe('a b')
    expect(host.quote('x'.repeat(1000))).toHaveLength(300)
    expect(host.quote('abc', 2)).toBe('ab')
  })

  it('takes keys out before it cuts, so that no part of one is left', () => {
    const host = createHost('http://a.test', { 'X-Goog-Api-Key': 'goog-12345678', cookie: 'id=cookie-value' }, 'sk-12345678')
    expect(host.quote('sk-12345678 goog-12345678 sk-12345678')).toBe('[redacted] [redacted] [redacted]')
    expect(host.quote('key sk-12345678', 7)).toBe('key [re')
    expect(host.quote('id=cookie-value')).toBe('[redacted]')
  })

  it('takes out keys of the address, and those that were sent last', () => {
    const host = createHost('http://a.test?key=goog-12345678&alt=sse-sse-sse', {})
    host.hide({ 'x-amz-security-token': 'session-1' })
    expect(host.quote('goog-12345678 sse-sse-sse session-1')).toBe('[redacted] sse-sse-sse [redacted]')
    host.hide({ 'x-amz-security-token': 'session-2' })
    expect(host.quote('session-2')).toBe('[redacted]')
  })

  it('leaves short placeholders and other headers alone', () => {
    const host = createHost('http://a.test', { authorization: 'Bearer none', 'x-title': 'my-application' }, 'none')
    expect(host.quote('none of my-application')).toBe('none of my-application')
  })
})
