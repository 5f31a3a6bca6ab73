import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinear } from '../../test/growth.ts'
import { ToolError } from '../errors.ts'
import { toModelText } from './model-text.ts'

describe('toModelText', () => {
  it('returns the message of a ToolError unchanged', () => {
    expect(toModelText(new ToolError('execution_failed', 'Ask /docs/for/help'))).toBe('Ask /docs/for/help')
  })

  it('truncates a ToolError at 4,000 characters, with its length', () => {
    const words = toModelText(new ToolError('execution_failed', 'x'.repeat(10_000_000)))
    expect(words).toBe(`${'x'.repeat(3_950)}… [truncated: 10000000 characters in total]`)
  })

  it('returns the message of an error, and of any object that has a message', () => {
    expect(toModelText(new TypeError('bad'))).toBe('bad')
    expect(toModelText({ message: 'bad' })).toBe('bad')
    expect(toModelText('bad')).toBe('bad')
  })

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['an empty text', ''],
    ['a plain object', {}],
    ['an error without a message', new Error()],
    ['an object without a prototype', Object.create(null)],
    ['a function, whose text is source code', () => 'secret source'],
    ['a class instead of an instance', RangeError],
    ['a getter that throws', Object.defineProperty({}, 'message', { get: refuse })],
    ['a message that is no text', { message: Object.create(null) }],
    ['a revoked proxy', revoked()],
  ])('returns a message for %s', (_what, thrown) => {
    expect(toModelText(thrown)).toBe('the error has no message')
  })

  it.each([
    [1n, '1'],
    [Symbol('s'), 'Symbol(s)'],
    [false, 'false'],
  ])('converts %o to text', (thrown, words) => {
    expect(toModelText(thrown)).toBe(words)
  })

  it('T2-16: removes a stack that the message quotes', () => {
    const error = new Error('first')
    expect(toModelText(new Error(`outer: ${error.stack}`))).not.toMatch(/ at |model-text/)
  })

  it('returns one line of at most 500 characters, and never half a character', () => {
    expect(toModelText('a\r\nb\nc\rd\u2028e')).toBe('a b c d e')
    expect(toModelText('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`)
    expect(toModelText(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}…`)
  })

  it.each([
    ["ENOENT: no such file or directory, open '/home/ann/app/key.pem'", "ENOENT: no such file or directory, open '[path]'"],
    ["open '/home/ann lee/my app/key.pem' failed", "open '[path]' failed"],
    ['cannot load "C:\\Program Files\\my app\\key.pem"', 'cannot load "[path]"'],
    ['failed (/srv/app/index.js:10:5)', 'failed ([path]:10:5)'],
    ['ENOENT:/home/ann/key', 'ENOENT:[path]'],
    ['path=/var/lib/app', 'path=[path]'],
    ['at file:///home/ann/app.js', 'at [path]'],
    ['C:\\Users\\Ann\\key.pem is gone', '[path] is gone'],
    ['C:/Users/Ann/key.pem is gone', '[path] is gone'],
    ['\\\\server\\share\\key.pem is gone', '[path] is gone'],
  ])('T2-16: removes the absolute path from %j', (message, words) => {
    expect(toModelText(new Error(message))).toBe(words)
  })

  it.each(['GET https://api.example.org/v1/items/7 gave 404', 'see ./src/index.ts', '/city must be string', 'use and/or/not'])(
    'leaves %j unchanged',
    (message) => {
      expect(toModelText(new Error(message))).toBe(message)
    },
  )

  it.each([
    ['connect postgres://app:hunter2@db/x', 'connect postgres://[redacted]@db/x'],
    ['connect postgres://app:hun@ter2@db/x', 'connect postgres://[redacted]@db/x'],
    ['sent Authorization: Bearer abcdef123456', 'sent Authorization: Bearer [redacted]'],
    ['GET /x?api_key=abc123&page=2', 'GET /x?api_key=[redacted]&page=2'],
    ['host=db password=hunter2 user=app', 'host=db password=[redacted] user=app'],
    ['the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired', 'the token [redacted] expired'],
    ['no rights for AKIAIOSFODNN7EXAMPLE', 'no rights for [redacted]'],
    ['bad key\n-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n', 'bad key [redacted]'],
    ['sent {"access_key":"a b c"}', 'sent {"access_key":"[redacted]"}'],
  ])('removes the credentials from %j', (message, words) => {
    expect(toModelText(new Error(message))).toBe(words)
  })

  it('never throws, whatever was thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withObjectString: true }), (thrown) => {
        expect(typeof toModelText(thrown)).toBe('string')
        expect(typeof toModelText({ message: thrown })).toBe('string')
      }),
    )
  })

  it('removes absolute paths, whatever surrounds them', () => {
    const segment = fc.stringMatching(/^[\w.-]{1,8}$/)
    const path = fc.array(segment, { minLength: 2, maxLength: 5 }).map((segments) => `/home/${segments.join('/')}`)
    const before = fc.constantFrom('', ' ', '"', "'", '`', '(', '=', ': ', ':', ', ', '\n', 'file://', '>')
    fc.assert(
      fc.property(path, before, fc.constantFrom('', ' ', '"', "'", ')', ':1:2', ',', '\n'), (text, start, end) => {
        expect(toModelText(new Error(`failed${start}${start === '' ? ' ' : ''}${text}${end}`))).not.toContain('/home')
      }),
    )
  })

  it.each<[start: string, unit: string]>([
    ['', '/a'],
    ['://', 'a'],
    ['', '\n'],
    ['', 'token'],
  ])('takes linear time for %j and many %j, and returns a short text', (start, unit) => {
    const textOf = (length: number) => start + unit.repeat(length / unit.length)
    expect(isLinear((length) => toModelText(textOf(length)), 1_000)).toBe(true)
    expect(toModelText(textOf(1_000_000)).length).toBeLessThanOrEqual(501)
  })
})

function refuse(): never {
  throw new Error('refused')
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
