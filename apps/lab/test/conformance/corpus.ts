/** Defines tests for a corpus. If the corpus is missing, defines one skipped test that names the corpus. */
import { describe, it } from 'vitest'

export function describeCorpus<Case>(name: string, cases: readonly Case[], define: (cases: readonly Case[]) => void): void {
  if (cases.length > 0) describe(name, () => define(cases))
  else it.skip(`${name}: no corpora at X_CORPORA or ../shared/corpora`, () => {})
}
