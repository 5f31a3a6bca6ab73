import { expect, it } from 'vitest'
import { secretsOf } from './secrets.ts'

it('removes the latest hundred tokens of a provider that returns another one for each request', async () => {
  let count = 0
  const { auth, redact } = secretsOf({
    url: 'https://shop.example/mcp',
    headers: { 'x-key': 'key-1234567890' },
    auth: { token: () => `token-number-${++count}` },
  })
  if (auth === undefined || !('token' in auth)) throw new Error('There is no provider.')
  while (count < 150) await auth.token()
  const text = 'token-number-150 token-number-51 token-number-50 key-1234567890'
  expect(redact(text)).toBe('[redacted] [redacted] token-number-50 [redacted]')
})
