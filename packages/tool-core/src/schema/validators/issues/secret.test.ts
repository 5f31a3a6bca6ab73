import { describe, expect, it } from 'vitest'
import { looksSecret } from './secret.ts'

describe('looksSecret', () => {
  it.each([
    ...['password', 'password1', 'newPassword2', 'DBPassword', 'db_passwd', 'passPhrase', 'passcode', 'pwd'],
    ...['apiKey', 'apiKeys', 'api-key', 'APIKEY', 'APIKey', 'x-api-key', 'secretAccessKey', 'encryption_key'],
    ...['token', 'tokens', 'APIToken', 'X-Auth-Token', 'accessTokens', 'accesstoken', 'personal_access_tokens', 'oauth2Token'],
    ...[
      'clientsecret',
      'clientSecrets',
      'jwt',
      'JWTs',
      'sessionCookie',
      'cookies',
      'otp',
      'connectionString',
      'connectionstring',
    ],
    ...['authorization', 'credentials', 'pin', 'cvv2'],
  ])('T2-17: is true for %s', (name) => {
    expect(looksSecret(name)).toBe(true)
  })

  it.each([
    ...['max_tokens', 'maxTokens', 'maxtokens', 'tokens_per_minute', 'totalTokens', 'prompt_tokens', 'token'.slice(1)],
    ...['secretary', 'spinner', 'pinned', 'author', 'key', 'keys', 'primary_key', 'connection', 'compass', 'option', 'class', ''],
  ])('is false for %j', (name) => {
    expect(looksSecret(name)).toBe(false)
  })

  it('reads a name of any length', () => {
    for (const unit of ['A', '1', 'aB', '_', 'token']) expect(looksSecret(unit.repeat(1_000_000))).toBe(unit === 'token')
  })
})
