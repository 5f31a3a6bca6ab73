/** Compares the conformance suite's failures with the expected ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Findings, Revision, Side } from './run-suite.ts'

/** Reasons, keyed by `scenario`, `scenario:check-id` or `scenario:check-id: STATUS`. Several checks in a scenario may have the same id. */
type Expected = Readonly<Record<string, string>>

export interface Comparison {
  /** Checks that didn't succeed and aren't listed as expected, in the form `scenario:check-id: STATUS`. Includes skipped checks. */
  readonly unexpected: readonly string[]
  /** Entries that match no failure, because all of their checks succeeded. */
  readonly stale: readonly string[]
}

/** @param scenarios The scenarios that were run. Default: all. */
export function compare(findings: Findings, revision: Revision, side: Side, scenarios?: readonly string[]): Comparison {
  const expected = readExpected(revision, side)
  const used = new Set<string>()
  const unexpected: string[] = []
  for (const [scenario, checks] of Object.entries(findings)) {
    for (const check of checks) {
      const id = check.replace(/: [A-Z]+$/, '')
      const entry = [scenario, `${scenario}:${id}`, `${scenario}:${check}`].find((key) => Object.hasOwn(expected, key))
      if (entry === undefined) unexpected.push(`${scenario}:${check}`)
      else used.add(entry)
    }
  }
  const wasRun = (entry: string) => scenarios === undefined || scenarios.includes(entry.split(':', 1)[0] ?? '')
  return { unexpected, stale: Object.keys(expected).filter((entry) => !used.has(entry) && wasRun(entry)) }
}

function readExpected(revision: Revision, side: Side): Expected {
  const all = JSON.parse(readFileSync(join(import.meta.dirname, 'expected.json'), 'utf8')) as Record<
    string,
    Record<string, Expected>
  >
  return all[revision]?.[side] ?? {}
}
