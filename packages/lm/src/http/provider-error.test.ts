import { expect, it } from 'vitest'
import { oneLine } from '../errors.ts'
import { providerError } from './provider-error.ts'

const host = { name: 'host', quote: oneLine }

it("a provider's error names its source in one short line, and whether it is transient", () => {
  expect(providerError({ message: 'Too\nbusy.', code: 'overloaded_error' }, host)).toMatchObject({
    code: 'provider_error',
    message: 'host reported an error: Too busy.',
    providerCode: 'overloaded_error',
    retryable: true,
  })
  const { providerCode, retryable } = providerError({ message: 'x'.repeat(10_000) }, host)
  expect([providerCode, retryable]).toEqual([undefined, false])
  expect(providerError({ message: 'x'.repeat(10_000) }, host).message.length).toBeLessThan(400)
})

it("its message and its code are quoted by the caller's function", () => {
  const quote = (words: string) => words.replaceAll('secret', '[redacted]')
  const error = providerError({ message: 'a secret', code: 'secret_503' }, { name: 'host', quote })
  expect(error).toMatchObject({ message: 'host reported an error: a [redacted]', providerCode: '[redacted]_503' })
})
