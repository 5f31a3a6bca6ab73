/** Runs the official JSON Schema test suite. Both validators must agree with it, except for the listed deviations. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { corpusPath } from '../../corpora.ts'
import { readJsonSchemaCases } from './json-schema-case.ts'
import { jsonSchemaDoc } from './json-schema-doc.ts'
import { checkJsonSchemaCase, type JsonSchemaVerdict } from './json-schema-suite.ts'

const DOC = resolve(import.meta.dirname, '../../../../../docs/json-schema.md')
const cases = readJsonSchemaCases(corpusPath('json-schema'))

describeCorpus('the official test suite of JSON Schema', cases, () => {
  const verdicts: JsonSchemaVerdict[] = []

  for (const draft of new Set(cases.map((one) => one.draft))) {
    it(`${draft}`, async () => {
      const failures: string[] = []
      for (const one of cases) {
        if (one.draft !== draft) continue
        const verdict = await checkJsonSchemaCase(one)
        verdicts.push(verdict)
        if (verdict.outcome === 'failed') failures.push(`${verdict.id}: ${verdict.faults.join('; ')}`)
      }
      expect(failures).toEqual([])
    })
  }

  it('has the figures of docs/json-schema.md', async () => {
    await expect(jsonSchemaDoc(verdicts)).toMatchFileSnapshot(DOC)
  })
})
