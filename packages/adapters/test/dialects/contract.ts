/** Registers the contract of dialects for a quarter of all that the package exports: four files, so that they run side by side. */
import { describe, it } from 'vitest'
import { dialectContract } from '../../src/testing/dialect-contract.ts'
import { allDialects } from './dialects.ts'
import { SAMPLES } from './samples.ts'

const runs = process.env.X_FULL ? 1_000 : 100

/** Every fourth one, since those of one family take as long and stand beside each other. */
export function describeContract(quarter: 1 | 2 | 3 | 4): void {
  const dialects = allDialects.filter((_, index) => index % 4 === quarter - 1)
  describe.each(dialects.map((dialect) => ({ dialect, name: dialect.name })))('the dialect $name', ({ dialect }) => {
    for (const { name, run } of dialectContract(dialect, { runs, samples: SAMPLES[dialect.name] })) it(name, run)
  })
}
