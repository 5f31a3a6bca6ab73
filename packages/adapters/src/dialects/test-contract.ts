/** Registers the contract of dialects for some of them. */
import { describe, it } from 'vitest'
import { dialectContract } from '../testing/dialect-contract.ts'
import type { Dialect } from './dialect.ts'

export function describeContract(dialects: readonly Dialect[]): void {
  describe.each(dialects.map((dialect) => ({ dialect, name: dialect.name })))('the dialect $name', ({ dialect }) => {
    for (const { name, run } of dialectContract(dialect)) it(name, { timeout: 120_000 }, run)
  })
}
