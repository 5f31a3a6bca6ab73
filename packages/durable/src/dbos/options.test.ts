import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

const options = { name: 'runs', databaseUrl: 'postgres://user@host:5432/database' }

it.each([
  [{ leaseMs: 3999 }, 'leaseMs', 'It must be from 4000 (2 × sweepMs) to 2147483647 milliseconds.'],
  [{ leaseMs: 2_147_483_648 }, 'leaseMs', 'It must be from 4000 (2 × sweepMs) to 2147483647 milliseconds.'],
  [{ sweepMs: 0 }, 'sweepMs', 'It must be 1 to 1073741823 milliseconds.'],
  [{ sweepMs: 1_073_741_824, leaseMs: 2_147_483_647 }, 'sweepMs', 'It must be 1 to 1073741823 milliseconds.'],
])('%o is refused with both limits', (given, option, message) => {
  expect(() => readOptions({ ...options, ...given })).toThrow(`createDbosEngine: the option "${option}" is invalid`)
  expect(() => readOptions({ ...options, ...given })).toThrow(message)
})

it('accepts the limits', () => {
  expect(readOptions({ ...options, sweepMs: 1_073_741_823, leaseMs: 2_147_483_646 })).toMatchObject({ leaseMs: 2_147_483_646 })
})
