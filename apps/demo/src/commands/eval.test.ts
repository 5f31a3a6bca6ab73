import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { DemoRequest, Domain } from '../domains/domain.ts'
import { createTerminal } from '../view/terminal.ts'
import { runEval } from './eval.ts'

const ring = defineTool({
  name: 'ring',
  description: 'Ring a bell',
  args: Type.Object({ times: Type.Integer() }),
  execute: ({ times }) => `rang ${times} times`,
})
const requests: readonly DemoRequest[] = [
  { request: 'Ring twice', expected: [{ tool: 'ring', args: { times: 2 } }], answer: 'twice' },
  { request: 'Ring three times', expected: [{ tool: 'ring', args: { times: 3 } }] },
  { request: 'Bake a cake', expected: [] },
]
const bells: Domain = { name: 'bells', instructions: '', createTools: () => [ring], scenarios: [{ title: 'Bells', requests }] }

type Turn = Parameters<typeof scriptedLM>[0][number]

const ringing = (times: number): Turn => ({ toolCalls: [{ id: '1', name: 'ring', arguments: JSON.stringify({ times }) }] })
/** Turns with which the first and the third request are served, and the second isn't. */
const turns: readonly Turn[] = [ringing(2), { text: 'Rang twice.' }, ringing(4), { text: 'Done.' }, { text: 'I cannot.' }]

interface Settings {
  readonly json?: boolean
  readonly atLeast?: number
  readonly width?: string
  readonly lm?: Parameters<typeof runEval>[0]['lm']
}

async function evaluateBells({ json = false, atLeast = 85, width = '100', lm = scriptedLM(turns) }: Settings = {}) {
  let text = ''
  const enough = await runEval({
    entries: [{ name: 'bells', title: 'Bells', examples: [], load: async () => ({ default: bells }) }],
    lm,
    model: 'a script',
    newPlace: () => ({ kind: 'sqlite', file: ':memory:' }),
    together: false,
    atLeast,
    json,
    terminal: createTerminal({ write: (written) => (text += written) }, { COLUMNS: width }),
    signal: new AbortController().signal,
  })
  return { enough, text }
}

describe('an evaluation', () => {
  it('shows each request, the expected and actual calls of a failure, and the totals', async () => {
    const { enough, text } = await evaluateBells()
    expect(enough).toBe(false)
    expect(text.split('\n').slice(0, 6)).toEqual([
      '✓ bells: Ring twice',
      '✗ bells: Ring three times',
      '    call 1 is not as expected',
      '    expected ring {"times":3}',
      '    called   ring {"times":4}',
      '✓ bells: Bake a cake',
    ])
    expect(text).toMatch(/^bells +3 +2 +66\.7 % +0\.50 +0\.50 +0\.50$/m)
    expect(text.trimEnd().split('\n').at(-1)).toBe('2 of 3 requests served (66.7 %); the minimum is 85 %')
  })

  it('shows the same in a narrow terminal, in lines that fit', async () => {
    const { text } = await evaluateBells({ width: '45' })
    expect(text).toContain('bells: 2 of 3; 0.50 0.50 0.50')
    expect(
      Math.max(
        ...text
          .split('\n')
          .slice(0, -3)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(45)
  })

  it('passes with a lower minimum percentage', async () => {
    expect((await evaluateBells({ atLeast: 66 })).enough).toBe(true)
  })

  it('prints one JSON object and nothing else with json', async () => {
    const { text } = await evaluateBells({ json: true })
    expect(JSON.parse(text)).toEqual({
      model: 'a script',
      database: 'sqlite',
      together: false,
      at_least: 85,
      enough: false,
      total: { requests: 3, passed: 2, precision: 0.5, recall: 0.5, f1: 0.5 },
      domains: [{ name: 'bells', requests: 3, passed: 2, precision: 0.5, recall: 0.5, f1: 0.5 }],
      failures: [
        {
          domain: 'bells',
          scenario: 'Bells',
          request: 'Ring three times',
          why: 'call 1 is not as expected',
          expected: [{ tool: 'ring', args: { times: 3 } }],
          calls: [{ tool: 'ring', args: { times: 4 }, ok: true }],
          answer: 'Done.',
          answered: true,
        },
      ],
    })
  })

  it('counts a request at which the model fails as not served, unless there is no model at all', async () => {
    const broken = { generate: () => Promise.reject(new Error('out of order')) }
    await expect(evaluateBells({ lm: broken })).rejects.toMatchObject({ code: 'model_failed' })
    let asked = 0
    const breaking = { generate: () => (asked++ === 0 ? Promise.resolve({ text: 'No.', toolCalls: [] }) : broken.generate()) }
    const { text } = await evaluateBells({ lm: breaking, atLeast: 0 })
    expect(text).toContain('    out of order')
    expect(text.trimEnd().split('\n').at(-1)).toBe('0 of 3 requests served (0.0 %)')
  })
})
