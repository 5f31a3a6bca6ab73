import { rmSync } from 'node:fs'
import type { LM } from '@x/adapters'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestRunner } from '../../../test/conformance/runner.ts'
import { defineBFCLSuite } from './bfcl-suite.ts'

const { folder, runJson } = createTestRunner()
afterAll(() => rmSync(folder, { recursive: true }))

describe('the suite bfcl', () => {
  const document = {
    id: 'add~2',
    name: 'add',
    description: '',
    parameters: { type: 'dict', properties: { a: { type: 'float' } } },
  }
  const right = {
    id: 'right',
    category: 'simple',
    expect: 'calls',
    question: 'Add 1',
    tools: ['add~2'],
    ground_truth: [{ name: 'add', args: { a: [1] } }],
  }
  const lines = (...cases: readonly object[]) => cases.map((one) => JSON.stringify(one)).join('\n')
  const checker = 'export const check = (functions, [call]) => ({ valid: call?.args.a === functions.length, error: "wrong sum" })'
  const answer = (args: string): LM => ({
    generate: async ({ tools = [] }) => {
      expect(tools[0]?.function.parameters).toEqual({ type: 'object', properties: { a: { type: 'number' } } })
      return { text: '', toolCalls: [{ id: '1', name: 'add', arguments: args }] }
    },
  })

  it('counts the verdicts of the checker, and the questions without a call', async () => {
    const irrelevant = { ...right, id: 'irrelevant', category: 'irrelevance', expect: 'no_call' }
    const files = {
      'tools.json': [document],
      'bfcl-check.mjs': checker,
      'cases-dev.jsonl': lines(
        right,
        irrelevant,
        { ...right, id: 'flagged', flags: ['x'] },
        { ...irrelevant, id: 'any', expect: 'some_call' },
      ),
    }
    const good = await runJson('bfcl', files, [defineBFCLSuite(answer('{"a":1}'))])
    expect(good.report).toMatchObject({ passed: 2, failed: 1, skipped: 1, failures: [{ id: 'irrelevant', why: 'called add' }] })
    const bad = await runJson('bfcl', files, [defineBFCLSuite(answer('{"a":2}'))])
    expect(bad.report.failures[0]).toEqual({ id: 'right', why: 'wrong wrong sum (called add)' })
  })

  it('fails a call with another name than the truth, and a truth that the checker cannot read', async () => {
    const [call] = right.ground_truth
    const files = {
      'tools.json': [document],
      'bfcl-check.mjs': checker,
      'cases-dev.jsonl': lines(
        right,
        { ...right, id: 'another name', ground_truth: [{ ...call, name: 'sum' }] },
        { ...right, id: 'no list', ground_truth: 5 },
      ),
    }
    const { report } = await runJson('bfcl', files, [defineBFCLSuite(answer('{"a":1}'))])
    expect(report.failures.map(({ id }) => id)).toEqual(['another name', 'no list'])
  })
})
