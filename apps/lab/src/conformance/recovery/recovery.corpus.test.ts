/**
 * Parses almost valid JSON. Each text must be recovered, refused or left unchanged as the corpus expects, and the suite must notice any
 * other result.
 */
import { parseArguments, recoverJson } from '@x/adapters/arguments'
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { wrongValues } from '../../../test/conformance/mutants.ts'
import { corpusPath } from '../../corpora.ts'
import { type Answer, judge, textOf, toArgumentsCase } from './recovery-case.ts'
import { readRecoveryCases } from './recovery-suite.ts'

const cases = readRecoveryCases(corpusPath('json-recovery'))

describeCorpus('recovery of texts that are not quite JSON', cases, () => {
  for (const level of ['pass', 'must', 'may', 'reject', 'nocrash'] as const) {
    it(`${level}: no answer is wrong or missing`, () => {
      const faults = cases.filter((one) => one.level === level).map((one) => [one.id, judge(one, recoverJson(textOf(one))).fault])
      expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
    })
  }

  it('reads them one layer up, where an object is required', () => {
    const above = cases.flatMap((one) => toArgumentsCase(one) ?? [])
    expect(above.map((one) => [one.id, judge(one, parseArguments(textOf(one))).fault])).toEqual(
      above.map(({ id }) => [id, undefined]),
    )
  })

  it('recovers at least nine of ten optional texts', () => {
    const may = cases.filter(({ level }) => level === 'may')
    const recovered = may.filter((one) => judge(one, recoverJson(textOf(one))).isRight)
    expect(recovered.length / may.length).toBeGreaterThanOrEqual(0.9)
  })

  it('notices an error in each expected value', () => {
    for (const one of cases.filter(({ level, gen }) => (level === 'must' || level === 'may') && gen === undefined)) {
      for (const { path, value } of wrongValues(one.expected)) {
        const answer: Answer = { ok: true, value, tags: ['comment'] }
        expect(judge(one, answer).isSilentlyWrong, `${one.id} ${path}`).toBe(true)
      }
    }
  })
})
