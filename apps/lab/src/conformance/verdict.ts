/** The verdict on one case, and counts of outcomes. */
import type { Failure } from './suite.ts'

/** `vacuous`: the case has no expected reading, and nothing went wrong. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'vacuous'

export interface Verdict {
  readonly id: string
  /** The wire format or dialect of the case. */
  readonly group: string
  readonly outcome: Outcome
  readonly faults: readonly string[]
}

export function count(verdicts: readonly Verdict[], outcome: Outcome): number {
  return verdicts.filter((verdict) => verdict.outcome === outcome).length
}

export function countAll(verdicts: readonly Verdict[]): { passed: number; failed: number; skipped: number } {
  return { passed: count(verdicts, 'passed'), failed: count(verdicts, 'failed'), skipped: count(verdicts, 'skipped') }
}

export function failuresOf(verdicts: readonly Verdict[]): readonly Failure[] {
  return verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id, faults }) => ({ id, why: faults.join('; ') }))
}

/** Returns one entry for each group, in the order of the cases. */
export function mapGroups<One extends Verdict, Value>(
  verdicts: readonly One[],
  summarize: (ofGroup: readonly One[]) => Value,
): Readonly<Record<string, Value>> {
  const groups = [...new Set(verdicts.map(({ group }) => group))]
  return Object.fromEntries(groups.map((name) => [name, summarize(verdicts.filter(({ group }) => group === name))]))
}
