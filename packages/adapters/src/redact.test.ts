import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../scripts/any-character.ts'
import { redactSecrets } from './redact.ts'

const HIDDEN = '[redacted]'

describe('redactSecrets', () => {
  it.each([
    ['a key of JSON', '{"user":"ada","password":"hunter2"}', `{"user":"ada","password":"${HIDDEN}"}`],
    ['a longer name', '{"stripe_api_key": "abc", "n": 1}', `{"stripe_api_key": "${HIDDEN}", "n": 1}`],
    ['escaped quotes', String.raw`{"password":"a\"b","x":1}`, `{"password":"${HIDDEN}","x":1}`],
    ['JSON within JSON', String.raw`{"text":"{\"token\":\"t0p\"}"}`, String.raw`{"text":"{\"token\":\"[redacted]\"}"}`],
    [
      'a quote within JSON within JSON',
      String.raw`"{\"token\":\"a\\\"b\",\"x\":1}"`,
      String.raw`"{\"token\":\"[redacted]\",\"x\":1}"`,
    ],
    ['a truncated text', '{"password":"hunt', `{"password":"${HIDDEN}`],
    ['a number', '{"pin":1,"secret": 12345}', `{"pin":1,"secret": ${HIDDEN}}`],
    ['a list', '{"tokens":["keep"],"credentials":["a","b"]}', `{"tokens":["keep"],"credentials":${HIDDEN}`],
    ['a setting', 'PASSWORD=hunter2 next', `PASSWORD=${HIDDEN} next`],
    ['a query', 'https://a.b/?access_token=abc&x=1', `https://a.b/?access_token=${HIDDEN}&x=1`],
    ['a header', 'Authorization: Basic abc def\r\nHost: a.b', `Authorization: ${HIDDEN}\r\nHost: a.b`],
    ['cookies', 'Set-Cookie: a=b; c=d\nX: y', `Set-Cookie: ${HIDDEN}\nX: y`],
    ['a bearer token in prose', 'send Bearer abc.def-123 along', `send Bearer ${HIDDEN} along`],
    ['a key with a known prefix', 'I used sk-abcdefghij0123456789, it works', `I used ${HIDDEN}, it works`],
    ['a JSON web token', 'jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2ln end', `jwt ${HIDDEN} end`],
    ['a password in a URL', 'postgres://ada:hunter2@db:5432/x', `postgres://${HIDDEN}@db:5432/x`],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----.', `${HIDDEN}.`],
    ['half a private key', 'k: -----BEGIN RSA PRIVATE KEY-----\nMIIE', `k: ${HIDDEN}`],
  ])('removes %s', (_, text, expected) => {
    expect(redactSecrets(text)).toBe(expected)
  })

  it.each(['The password is not here.', '{"max_tokens": 100, "city": "Oslo"}', 'a basic question', 'https://a.b:80/c'])(
    'leaves text without a secret unchanged: %s',
    (text) => {
      expect(redactSecrets(text)).toBe(text)
    },
  )

  it('keeps JSON valid, and removes any value whose name suggests a secret', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string().filter((text) => !text.includes('<<')),
        (secret, other) => {
          const text = JSON.stringify({ other, nested: JSON.stringify({ password: `<<${secret}>>` }), api_key: secret })
          const read: unknown = JSON.parse(redactSecrets(JSON.stringify({ password: secret, n: 1 })))
          expect(read).toEqual({ password: secret === '' ? '' : HIDDEN, n: 1 })
          expect(redactSecrets(text)).not.toContain('<<')
        },
      ),
    )
  })

  it('replaces a whole text whose name suggests a secret', () => {
    expect(redactSecrets('hunter2', 'authorization_token')).toBe(HIDDEN)
    expect(redactSecrets('hunter2', 'city')).toBe('hunter2')
    expect(redactSecrets('', 'password')).toBe('')
  })

  it('returns a string for any string, and redacts redacted text no further', () => {
    const piece = fc.constantFrom(
      'password',
      'token',
      '"',
      '\\',
      ':',
      '=',
      ' ',
      '{',
      'Bearer ',
      'eyJ',
      'sk-',
      '://',
      '@',
      'x',
      '-',
      '[',
      'and more',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const redacted = redactSecrets(pieces.join(''))
        expect(typeof redacted).toBe('string')
        expect(redactSecrets(redacted)).toBe(redacted)
      }),
    )
  })
})
