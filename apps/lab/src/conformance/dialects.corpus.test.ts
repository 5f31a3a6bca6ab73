/** Model text in our dialects: what is read equals what the corpus says, however it is cut, and the comparator sees every change. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { corpusPath } from '../corpora.ts'
import { DIALECTS } from '../dialects.ts'
import { compareText } from './dialect-case.ts'
import { checkDialectCase, optionsOf, readDialectCases } from './dialect-suite.ts'
import { describeCorpus } from './test-corpus.ts'
import { wrongReadings } from './test-mutants.ts'

const cases = readDialectCases(corpusPath('dialects'))

/** The first column of the table of docs/dialects.md in which each case that we read otherwise stands, with the reason. */
const document = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8')
const rows = [...document.matchAll(/^\| ((?:`[a-z0-9_]+\/[^`\s]+`(?:, )?)+) \|/gm)].map(([, cell]) => cell as string)
const explained = new Set(rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, id]) => id as string)))

describeCorpus('dialects on model text', cases, () => {
  it.each(DIALECTS)('reads each case of $name as expected, or docs/dialects.md says why not', (dialect) => {
    const verdicts = cases.filter((one) => one.dialect === dialect.name).map((one) => checkDialectCase(one, [dialect]))
    const missed = verdicts.filter(({ whole }) => whole === 'failed').map(({ id }) => id)
    expect(missed.filter((id) => !explained.has(id))).toEqual([])
  })

  it.each(DIALECTS)('reads each case of $name the same in pieces, also those of which it reads another thing', (dialect) => {
    const faults = cases
      .filter((one) => one.dialect === dialect.name)
      .flatMap((one) => checkDialectCase(one, [dialect]).faults.map((fault) => `${one.id}: ${fault}`))
    expect(faults.filter((fault) => /streamed|threw/.test(fault))).toEqual([])
  })

  it('explains no case that is read as expected', () => {
    const failed = new Set(
      cases
        .map((one) => checkDialectCase(one, DIALECTS))
        .filter(({ whole }) => whole === 'failed')
        .map(({ id }) => id),
    )
    expect([...explained].filter((id) => !failed.has(id))).toEqual([])
  })

  it('each checked part, made wrong, is a difference', () => {
    for (const { id, ...one } of cases) {
      const dialect = DIALECTS.find(({ name }) => name === one.dialect)
      if (dialect === undefined || checkDialectCase({ id, ...one }, [dialect]).whole !== 'passed') continue
      const response = dialect.parse(one.text, optionsOf({ id, ...one }))
      const readings = [one.expected, ...(one.alternatives ?? [])]
      const isSeen = (expected: (typeof readings)[number]) =>
        compareText(response, { id, ...one, expected, alternatives: [] }).length > 0
      const right = readings.find((reading) => !isSeen(reading)) ?? one.expected
      const unseen = [...wrongReadings(right, one.checked)].filter(({ value }) => !isSeen(value))
      expect(
        unseen.map(({ path }) => path),
        id,
      ).toEqual([])
    }
  })
})
