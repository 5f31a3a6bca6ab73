/**
 * Parses model text in our dialects. The reading must be as expected for any chunk boundaries, and the comparator must notice every change.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeCorpus } from '../../../test/conformance/corpus.ts'
import { wrongReadings } from '../../../test/conformance/mutants.ts'
import { corpusPath } from '../../corpora.ts'
import { DIALECTS } from '../../dialects/dialects.ts'
import { compareText } from './dialect-case.ts'
import { checkDialectCase, optionsOf, readDialectCases } from './dialect-suite.ts'

const cases = readDialectCases(corpusPath('dialects'))
/** Each case, parsed with its own dialect once for all tests. */
const judged = cases.map((one) => ({ one, verdict: checkDialectCase(one, DIALECTS) }))
const judgedOf = (dialect: string) => judged.filter(({ one }) => one.dialect === dialect)

/** docs/dialects.md lists each known difference with its reason. The first column of its table contains the case ids. */
const document = readFileSync(new URL('../../../../../docs/dialects.md', import.meta.url), 'utf8')
const rows = [...document.matchAll(/^\| ((?:`[a-z0-9_]+\/[^`\s]+`(?:, )?)+) \|/gm)].map(([, cell]) => cell as string)
const explained = new Set(rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, id]) => id as string)))

describeCorpus('dialects on model text', cases, () => {
  it.each(DIALECTS)('reads each case of $name as expected, or docs/dialects.md explains why not', ({ name }) => {
    const missed = judgedOf(name).flatMap(({ verdict: { whole, id } }) => (whole === 'failed' ? [id] : []))
    expect(missed.filter((id) => !explained.has(id))).toEqual([])
  })

  it.each(DIALECTS)('reads each case of $name the same in chunks, also those with another reading than expected', ({ name }) => {
    const faults = judgedOf(name).flatMap(({ verdict }) => verdict.faults.map((fault) => `${verdict.id}: ${fault}`))
    expect(faults.filter((fault) => /streamed|threw/.test(fault))).toEqual([])
  })

  it('lists no case that is read as expected', () => {
    const failed = new Set(judged.flatMap(({ verdict: { whole, id } }) => (whole === 'failed' ? [id] : [])))
    expect([...explained].filter((id) => !failed.has(id))).toEqual([])
  })

  it('reports an error in each checked part as a difference', () => {
    for (const { one, verdict } of judged) {
      const { id } = one
      const dialect = DIALECTS.find(({ name }) => name === one.dialect)
      if (dialect === undefined || verdict.whole !== 'passed') continue
      const response = dialect.parse(one.text, optionsOf(one))
      const readings = [one.expected, ...(one.alternatives ?? [])]
      const isSeen = (expected: (typeof readings)[number]) =>
        compareText(response, { ...one, expected, alternatives: [] }).length > 0
      const right = readings.find((reading) => !isSeen(reading)) ?? one.expected
      const unseen = [...wrongReadings(right, one.checked)].filter(({ value }) => !isSeen(value))
      expect(
        unseen.map(({ path }) => path),
        id,
      ).toEqual([])
    }
  })
})
