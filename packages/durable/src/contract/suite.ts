/** All cases of the contract suite for one engine. */
import type { Case } from './case.ts'
import { closeCases } from './close-cases.ts'
import { decisionCases } from './decision-cases.ts'
import { deployCases } from './deploy-cases.ts'
import type { ContractCase, ContractHarness } from './harness.ts'
import { operationCases } from './operation-cases.ts'
import { processCases } from './process-cases.ts'
import { removalCases } from './removal-cases.ts'
import { runCases } from './run-cases.ts'

const CASES: readonly Case[] = [
  ...runCases,
  ...decisionCases,
  ...closeCases,
  ...deployCases,
  ...removalCases,
  ...operationCases,
  ...processCases,
]

/**
 * Returns the cases that apply to an engine. Each case uses its own runs. The last cases kill processes. They take about three
 * minutes in total, or one minute with `quick`.
 *
 * ```ts
 * for (const { name, timeoutMs, run } of contractCases(harness)) it(name, run, timeoutMs)
 * ```
 */
export function contractCases(harness: ContractHarness): readonly ContractCase[] {
  return CASES.filter(({ fits }) => fits?.(harness) ?? true).map(({ name, timeoutMs = 600_000, run }) => ({
    name,
    timeoutMs,
    run: async () => (await run(harness)) ?? undefined,
  }))
}
