/** Shapes recorded requests, and tools that providers accepted. All rules must be followed, and every lost keyword must be reported. */
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { corpusPath } from '../../corpora.ts'
import { readShapingCases } from './shaping-case.ts'
import { checkCase } from './shaping-suite.ts'
import { SHAPING_TARGETS } from './shaping-targets.ts'

const cases = readShapingCases(corpusPath('wire'))
const documents = readShapingCases(corpusPath('bfcl'))

describeCorpus('shaping of recorded tools', cases, () => {
  for (const dialect of new Set(cases.map((one) => one.dialect))) {
    it(`${dialect}`, () => {
      const verdicts = cases.filter((one) => one.dialect === dialect).flatMap((one) => checkCase(one, SHAPING_TARGETS))
      expect(verdicts.flatMap(({ id, faults }) => faults.map((fault) => `${id}: ${fault}`))).toEqual([])
    })
  }
})

describeCorpus('shaping of BFCL', documents, () => {
  it('shapes every fortieth document for every target', () => {
    const verdicts = documents.filter((_, index) => index % 40 === 0).flatMap((one) => checkCase(one, SHAPING_TARGETS))
    expect(verdicts.flatMap(({ id, faults }) => faults.map((fault) => `${id}: ${fault}`))).toEqual([])
  })
})
