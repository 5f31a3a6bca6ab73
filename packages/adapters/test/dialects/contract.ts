/** Registers the dialect contract for a quarter of the exported dialects. Four test files run in parallel. */
import { describe, it } from 'vitest'
import { dialectContract } from '../../src/testing/dialect-contract.ts'
import { allDialects } from './dialects.ts'
import { SAMPLES } from './samples.ts'

/** Half as many find every fault that `dialect-faults.test.ts` plants. */
const runs = process.env.X_FULL ? 400 : 20

/** Uses every fourth dialect, because dialects of one family are adjacent and take equally long. */
export function describeContract(quarter: 1 | 2 | 3 | 4): void {
  const dialects = allDialects.filter((_, index) => index % 4 === quarter - 1)
  describe.each(dialects.map((dialect) => ({ dialect, name: dialect.name })))('the dialect $name', ({ dialect }) => {
    for (const { name, run } of dialectContract(dialect, { runs, samples: SAMPLES[dialect.name] })) it(name, run)
  })
}
