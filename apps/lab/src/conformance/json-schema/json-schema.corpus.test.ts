/** The official test suite of JSON Schema: both validators agree with it, apart from the listed deviations. */
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { corpusPath } from '../../corpora.ts'
import { readJsonSchemaCases } from './json-schema-case.ts'
import { checkJsonSchemaCase } from './json-schema-suite.ts'

const cases = readJsonSchemaCases(corpusPath('json-schema'))

describeCorpus('the official test suite of JSON Schema', cases, () => {
  for (const draft of new Set(cases.map((one) => one.draft))) {
    it(`${draft}`, async () => {
      const failures: string[] = []
      for (const one of cases) {
        if (one.draft !== draft) continue
        const { id, outcome, faults } = await checkJsonSchemaCase(one)
        if (outcome === 'failed') failures.push(`${id}: ${faults.join('; ')}`)
      }
      expect(failures).toEqual([])
    })
  }
})
