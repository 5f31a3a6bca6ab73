import { describe, expect, it } from 'vitest'
import { createHost } from './host.ts'

describe('createHost', () => {
  it('has a name with host and port, but without path and query', () => {
    expect(createHost('https://api.test/v1?key=1', {}).name).toBe('api.test')
    expect(createHost('http://[::1]:80/v1', {}).name).toBe('[::1]')
    expect(createHost('http://localhost:8080/v1', {}).name).toBe('localhost:8080')
  })

  it('quotes the start of a text, on one line', () => {
    const host = createHost('http://a.test', {})
    expect(host.quote('  a\r\n\tb  ')).toBe('a b')
    expect(host.quote('x'.repeat(1000))).toHaveLength(300)
    expect(host.quote('abc', 2)).toBe('ab')
  })

  it('redacts keys before it truncates, so that no part of a key remains', () => {
    const host = createHost('http://a.test', { 'X-Goog-Api-Key': 'goog-12345678' }, 'sk-12345678')
    expect(host.quote('sk-12345678 goog-12345678 sk-12345678')).toBe('[redacted] [redacted] [redacted]')
    expect(host.quote('key sk-12345678', 7)).toBe('key [re')
  })

  it('redacts all of a key that starts with another key', () => {
    const host = createHost('http://a.test', { 'x-api-key': 'sk-12345678-admin' }, 'sk-12345678')
    expect(host.quote('sk-12345678-admin, sk-12345678')).toBe('[redacted], [redacted]')
  })

  it('redacts the value of each cookie', () => {
    const cookie = 'session=supersecretsession; theme="dark1234"; id=1; bare-cookie'
    const host = createHost('http://a.test', { cookie })
    const words = 'session=[redacted]; theme="[redacted]"; id=1; [redacted]'
    expect(host.quote(cookie)).toBe(words)
  })

  it.each([
    ['a signature in the URL', 'http://a.test?sig=abc%2Bdef%3D12', {}, 'abc+def=12 abc%2Bdef%3D12'],
    ['a password in the URL', 'http://a.test?password=opensesame', {}, 'opensesame'],
    ['a header of a session', 'http://a.test', { 'x-session-id': 'session-1234' }, 'session-1234'],
    ['a header of credentials', 'http://a.test', { 'x-credentials': 'user:opensesame' }, 'user:opensesame'],
    ['a parameter of a scheme', 'http://a.test', { authorization: 'Token token="abcd-1234", id=7' }, 'abcd-1234'],
    ['the password of Basic', 'http://a.test', { authorization: `Basic ${btoa('me:opensesame')}` }, 'opensesame'],
    ['a key escaped in a URL', 'http://a.test', { 'x-api-key': 'ab/cd+ef=12' }, 'ab%2Fcd%2Bef%3D12'],
    ['a key escaped in JSON', 'http://a.test', { 'x-api-key': 'ab/cd"ef\\12' }, 'ab/cd\\"ef\\\\12 ab\\/cd\\"ef\\\\12'],
  ])('redacts %s', (_, url, headers, text) => {
    const words = text.split(' ')
    expect(createHost(url, headers as Record<string, string>).quote(text)).toBe(words.map(() => '[redacted]').join(' '))
  })

  it('keeps the scheme of a credential', () => {
    expect(createHost('http://a.test', { authorization: 'AWS4-HMAC-SHA256 Signature=abcdefgh' }).quote('AWS4-HMAC-SHA256')).toBe(
      'AWS4-HMAC-SHA256',
    )
  })

  it('redacts keys in the URL, both as sent and decoded', () => {
    const host = createHost('http://a.test?api_key=sup%2Fer%2Bsecret+123&alt=sse-sse-sse', {})
    expect(host.quote('sup%2Fer%2Bsecret+123 and sup/er+secret 123')).toBe('[redacted] and [redacted]')
    expect(host.quote('sse-sse-sse')).toBe('sse-sse-sse')
  })

  it('redacts what one request has signed, even if other requests sign meanwhile', () => {
    const host = createHost('http://a.test', {}, 'sk-12345678')
    const first = host.hiding({ 'x-amz-security-token': 'session-1' })
    const second = host.hiding({ 'x-amz-security-token': 'session-2' })
    expect(first.quote('session-1 sk-12345678')).toBe('[redacted] [redacted]')
    expect(second.quote('session-2')).toBe('[redacted]')
    expect(second.name).toBe('a.test')
  })

  it('leaves short placeholders and other headers unchanged', () => {
    const host = createHost('http://a.test', { authorization: 'Bearer none', 'x-title': 'my-application' }, 'none')
    expect(host.quote('none of my-application')).toBe('none of my-application')
  })
})
