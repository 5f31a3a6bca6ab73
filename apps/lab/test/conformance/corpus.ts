/** Tests over a corpus. When it is missing, one skipped test says so. */
import { describe, it } from 'vitest'

export function describeCorpus<Case>(name: string, cases: readonly Case[], define: (cases: readonly Case[]) => void): void {
  if (cases.length > 0) describe(name, () => define(cases))
  else it.skip(`${name}: no corpora at X_CORPORA or ../shared/corpora`, () => {})
}
