/** Changes each expected value in a sample of cases from all suites. Each change must be reported as a failure with the id of its case. */
import { expect, it } from 'vitest'
import { describeCorpus } from '../../test/conformance/corpus.ts'
import { CHANGEABLE_SUITES } from './changeable-suites.ts'
import { changeValues } from './changed-values.ts'

/** Cases per suite. The total is 204 with full counts, and 30 otherwise. */
const share = process.env.X_FULL ? 34 : 5
const seed = Number(process.env.X_SEED)

for (const suite of CHANGEABLE_SUITES) {
  const cases = await suite.read()
  describeCorpus(`expected values of ${suite.name}`, cases, () => {
    it(`notices each change in ${share} cases`, { timeout: 120_000 }, async () => {
      const report = await changeValues({ ...suite, read: () => cases }, { cases: share, seed })
      expect(report.unnoticed).toEqual([])
      expect(report.cases).toBe(share)
      expect(report.changed).toBeGreaterThan(share)
    })
  })
}
