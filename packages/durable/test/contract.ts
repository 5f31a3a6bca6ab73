/** Runs the contract suite as tests and prints the figures of its cases. */
import { it } from 'vitest'
import type { ContractHarness } from '../src/contract/harness.ts'
import { contractCases } from '../src/contract/suite.ts'

export function itKeepsContract(harness: Omit<ContractHarness, 'quick'>): void {
  for (const { name, timeoutMs, run } of contractCases({ ...harness, quick: !process.env.X_FULL })) {
    it(name, { timeout: timeoutMs }, async () => {
      const figures = await run()
      if (figures !== undefined) console.info(figures)
    })
  }
}
