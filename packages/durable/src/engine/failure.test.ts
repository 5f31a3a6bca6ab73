import { expect, it } from 'vitest'
import { toFailure, toFailureWords } from './failure.ts'

const unreadable = new Proxy(new Error('x'), {
  get() {
    throw new Error('no')
  },
  ownKeys() {
    throw new Error('no')
  },
})
const revoked = Proxy.revocable({}, {})
revoked.revoke()

it.each([
  ['an error', Object.assign(new TypeError('No.'), { code: 'busy' }), { name: 'TypeError', message: 'No.', code: 'busy' }],
  ['an error with a numeric code', Object.assign(new Error('No.'), { code: 7 }), { name: 'Error', message: 'No.' }],
  ['nothing', undefined, { name: 'Error', message: 'undefined' }],
  ['a text', 'No.', { name: 'Error', message: 'No.' }],
  ['an object', { message: 1 }, { name: 'Error', message: 'The thrown value is not an error.' }],
  ['an error that cannot be read', unreadable, { name: 'Error', message: 'The thrown value could not be read.' }],
  ['a revoked proxy', revoked.proxy, { name: 'Error', message: 'The thrown value could not be read.' }],
])('%s becomes plain data', (_, thrown, failure) => {
  expect(toFailure(thrown)).toEqual(failure)
  expect(toFailureWords(thrown)).toMatchObject(failure)
})

it('long texts are truncated, and long or complex properties are left out of a record', () => {
  const error = Object.assign(new Error('x'.repeat(5000)), { status: 503, retryable: true, body: 'y'.repeat(300), list: [1] })
  expect(toFailureWords(error)).toEqual({ name: 'Error', message: `${'x'.repeat(2000)}…`, status: 503, retryable: true })
})
