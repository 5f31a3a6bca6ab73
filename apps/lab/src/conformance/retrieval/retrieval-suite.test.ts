import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestRunner } from '../../../test/conformance/runner.ts'
import { createRegistryRanking } from './retrieval-ranking.ts'
import type { Ranking } from './retrieval-score.ts'
import { defineRetrievalSuite } from './retrieval-suite.ts'

const { folder, writeCorpus, run, runJson } = createTestRunner()
afterAll(() => rmSync(folder, { recursive: true }))

const subjects = [
  'bridge',
  'candle',
  'donkey',
  'engine',
  'ferry',
  'glacier',
  'harbour',
  'island',
  'jacket',
  'kettle',
  'lantern',
  'meadow',
]
const tools = subjects.map((subject) => ({
  name: `find.${subject}`,
  description: `Finds a ${subject} that is for sale.`,
  parameters: { type: 'dict', properties: { colour: { type: 'string', description: `Colour of the ${subject}.` } } },
}))
const lines = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).join('\n')
const toCase = (subject: string) => ({
  id: subject,
  category: 'multiple',
  expect: 'calls',
  question: `Where can I buy a ${subject}?`,
  ground_truth: [{ name: `find.${subject}`, args: {} }],
})
const toQuery = (subject: string) => ({ id: subject, query: `A ${subject}, please.`, tools: [`find.${subject}`] })
const bfcl = { 'tools.json': tools, 'cases-dev.jsonl': lines(subjects.map(toCase)) }
const other = { 'own-tools.json': tools, 'own-queries-dev.jsonl': lines(subjects.map(toQuery)) }

/** Returns the figures that don't depend on the machine. */
const shares = (score: object) => Object.fromEntries(Object.entries(score).filter(([name]) => !name.endsWith('us')))
const whole = { recall1: 1, recall5: 1, recall10: 1, ndcg10: 1, n: subjects.length }
const fixed = (ranked: readonly string[]) => defineRetrievalSuite(() => (_, limit) => ranked.slice(0, limit))

describe('the suite retrieval', () => {
  it('finds the tools for questions with the search of the registry, and passes the goals of the set', async () => {
    const { report } = await runJson('retrieval', bfcl)
    const { sets, ...first } = report.metrics as { sets: { bfcl: object } }
    expect(shares(sets.bfcl)).toEqual(whole)
    expect(shares(first)).toEqual(whole)
    expect(report.failures.filter(({ id }) => !id.endsWith('us'))).toEqual([])
  })

  it('scores a worse ranking lower: a tool in second place counts for 5 and not for 1', async () => {
    const registry = createRegistryRanking(tools)
    const second: Ranking = (question, limit) => ['find.nothing', ...registry(question, limit)].slice(0, limit)
    const { code, report } = await runJson('retrieval', bfcl, [defineRetrievalSuite(() => second)])
    expect(shares(report.metrics)).toMatchObject({
      recall1: 0,
      recall5: 1,
      recall10: 1,
      ndcg10: expect.closeTo(1 / Math.log2(3), 9),
    })
    expect(report.failures).toContainEqual({ id: 'bfcl recall1', why: '0.0 %, the goal is 62.0' })
    expect(code).toBe(1)
  })

  it('fails each goal of a ranking that finds nothing', async () => {
    const { report } = await runJson('retrieval', bfcl, [fixed([])])
    expect(report).toMatchObject({ metrics: { recall1: 0, recall5: 0, recall10: 0, ndcg10: 0 } })
    expect(report.failures.map(({ id }) => id)).toEqual(expect.arrayContaining(['bfcl recall1', 'bfcl recall5', 'bfcl recall10']))
  })

  it('counts the share of several tools that a question needs', async () => {
    const both = { id: 'both', query: 'A bridge and a candle.', tools: ['find.bridge', 'find.candle'] }
    const files = { ...other, 'own-queries-dev.jsonl': lines([both]) }
    const { report } = await runJson('retrieval', files, [fixed(['find.candle', 'find.ferry', 'find.bridge'])])
    expect(report.metrics).toMatchObject({
      recall1: 0.5,
      recall5: 1,
      n: 1,
      ndcg10: expect.closeTo((1 + 0.5) / (1 + 1 / Math.log2(3)), 9),
    })
  })

  it('uses the first document of a name, and only questions with calls', async () => {
    const files = {
      'tools.json': [...tools, { ...tools[0], description: 'Something else.' }],
      'cases-dev.jsonl': lines([
        ...subjects.map(toCase),
        { ...toCase('bridge'), expect: 'no_call' },
        { ...toCase('bridge'), category: 'simple_java' },
      ]),
    }
    const { report } = await runJson('retrieval', files)
    expect(shares(report.metrics)).toMatchObject(whole)
  })

  it('reads the sets of subdirectories, and skips the goals of missing sets', async () => {
    const files = Object.fromEntries([
      ...Object.entries(bfcl).map(([file, content]) => [`one/${file}`, content]),
      ...Object.entries(other).map(([file, content]) => [`two/${file}`, content]),
    ])
    const { report } = await runJson('retrieval', files)
    const { sets } = report.metrics as { sets: Record<string, object> }
    expect(Object.keys(sets)).toEqual(['bfcl', 'own'])
    expect(report).toMatchObject({ skipped: 2 })
    expect(report.metrics).not.toHaveProperty('recall1')
  })

  it('prints a table with a line for each set', async () => {
    const { out } = await run(['retrieval', '--corpus', writeCorpus(other)])
    expect(out).toMatch(/own +100\.0 +100\.0 +100\.0 +100\.0/)
  })

  it.each([
    ['no set', { 'tools.json': tools }, 'There is no retrieval case in'],
    ['tools that are no list', { ...bfcl, 'tools.json': {} }, 'is not a list of tools'],
    ['a line that is not JSON', { ...bfcl, 'cases-dev.jsonl': '{' }, 'is not JSON'],
    ['a line that is no case', { ...bfcl, 'cases-dev.jsonl': '{}' }, 'contains an item that is not a case'],
  ])('cannot run on %s, and exits with 2', async (_, files, reason) => {
    const { code, err } = await run(['retrieval', '--corpus', writeCorpus(files)])
    expect(err).toContain(reason)
    expect(code).toBe(2)
  })
})
