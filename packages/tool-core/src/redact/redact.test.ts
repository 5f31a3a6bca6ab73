import { describe, expect, it } from 'vitest'
import { isLinear } from '../../test/growth.ts'
import { redact } from './redact.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

describe('redact', () => {
  it.each([
    ['connect postgres://app:hunter2@db/x', 'connect postgres://[redacted]@db/x'],
    ['sent Authorization: Bearer hunter2', 'sent Authorization: Bearer [redacted]'],
    ['{"authorization":"hunter2"}', '{"authorization":"[redacted]"}'],
    ['Cookie: a=hunter2; b=hunter2', 'Cookie: [redacted]'],
    ['GET /x?api_key=hunter2&page=2', 'GET /x?api_key=[redacted]&page=2'],
    ['{"password":"hunter2, hunter2","city":"Oslo"}', '{"password":"[redacted]","city":"Oslo"}'],
    ['{"password":"hun\\"ter2","city":"Oslo"}', '{"password":"[redacted]","city":"Oslo"}'],
    ["{ access_key: 'hunter2' }", "{ access_key: '[redacted]' }"],
    ['AWS_SECRET_ACCESS_KEY=hunter2', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
    ['newPassword2 = hunter2', 'newPassword2 = [redacted]'],
    ['x-api-key abcdef123456 was refused', 'x-api-key [redacted] was refused'],
    ['AKIAIOSFODNN7EXAMPLE is unknown', '[redacted] is unknown'],
    ['with github_pat_11ABCDEFG0123456789', 'with [redacted]'],
    ['with glpat-abcdefghij0123456789', 'with [redacted]'],
    ['with ghs_abcdefghij0123456789', 'with [redacted]'],
    ['with sk-proj-abcdefghij0123456789', 'with [redacted]'],
    ['key AIzaSyA0123456789abcdefghijklmnopqrstu', 'key [redacted]'],
    [`token ${JWT} has expired`, 'token [redacted] has expired'],
    [`token ${JWT.slice(0, 30)}`, 'token [redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- is old', '[redacted] is old'],
    ['read -----BEGIN PRIVATE KEY----- MIIE', 'read [redacted]'],
  ])('T2-17: redacts the credential in %j', (text, left) => {
    expect(redact(text)).toBe(left)
  })

  it('T2-17: redacts JSON within a JSON string', () => {
    expect(redact(JSON.stringify(JSON.stringify({ password: 'hunter2' })))).not.toContain('hunter2')
  })

  it.each([
    'the token has expired',
    'x-api-key is missing or invalid',
    'max_tokens: at most 4096',
    'a secretary: Ann',
    'basic rules of the author',
    'GET https://api.example.org/v1/items/7 gave 404',
    '-----BEGIN CERTIFICATE----- MIIE',
  ])('leaves %j unchanged', (text) => {
    expect(redact(text)).toBe(text)
  })

  it.each([
    ...[
      'eyJ-',
      'eyJaaaaa.',
      '://',
      '://a',
      'token',
      'x-',
      'sk-',
      'SG.',
      'SG.aaaaaaaaaaaa-',
      'bearer ',
      'basic\t',
      'cookie',
      '\\"',
    ],
    ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'password="', 'password=\\', 'api_key: ', 'x-key 1', 'A', ' ', '-'],
    ...['authorization: bearer ', 'set-cookie='],
  ])('takes linear time for a long text of %j', (unit) => {
    expect(isLinear((length) => redact(unit.repeat(length / unit.length)), 1_000)).toBe(true)
  })
})
