import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

const options = { name: 'runs', databaseUrl: 'postgres://user@host:5432/database' }

it.each([
  [{ leaseMs: 3999 }, 'leaseMs', 'It must be from 4000 (2 × sweepMs) to 2147483647 milliseconds.'],
  [{ leaseMs: 2_147_483_648 }, 'leaseMs', 'It must be from 4000 (2 × sweepMs) to 2147483647 milliseconds.'],
  [{ sweepMs: 0 }, 'sweepMs', 'It must be 1 to 1073741823 milliseconds.'],
  [{ sweepMs: 1_073_741_824, leaseMs: 2_147_483_647 }, 'sweepMs', 'It must be 1 to 1073741823 milliseconds.'],
  [{ rateLimit: { runs: 0, everyMs: 1 } }, 'rateLimit', 'It must be { runs, everyMs }'],
  [{ rateLimit: { runs: 1, everyMs: 0 } }, 'rateLimit', 'It must be { runs, everyMs }'],
  [{ rateLimit: null as never }, 'rateLimit', 'It must be { runs, everyMs }'],
  [{ rateLimit: { runs: 2 ** 31, everyMs: 1 } }, 'rateLimit', 'with an integer from 1 to 2147483647 and a time above 0.'],
  [{ concurrency: Number.MAX_SAFE_INTEGER }, 'concurrency', 'It must be an integer from 1 to 2147483647.'],
  [{ retentionMs: -1 }, 'retentionMs', 'It must be 0 to 9007199254740991 milliseconds. Omit it to keep ended runs.'],
])('%o is refused with what is allowed', (given, option, message) => {
  expect(() => readOptions({ ...options, ...given })).toThrow(`createDbosEngine: the option "${option}" is invalid`)
  expect(() => readOptions({ ...options, ...given })).toThrow(message)
})

it('accepts the limits', () => {
  const limits = {
    sweepMs: 1_073_741_823,
    leaseMs: 2_147_483_646,
    concurrency: 2_147_483_647,
    retentionMs: Number.MAX_SAFE_INTEGER,
  }
  expect(readOptions({ ...options, ...limits })).toMatchObject(limits)
})
