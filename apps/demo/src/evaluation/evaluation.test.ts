import { expect, it } from 'vitest'
import type { MadeCall } from '../agent/made-calls.ts'
import type { DemoRequest } from '../domains/domain.ts'
import { type Evaluation, scoreOf } from './evaluation.ts'

const call = (tool: string, args: object = {}, ok = true): MadeCall => ({ tool, args: { ...args }, ok })

function evaluation(expected: DemoRequest['expected'], calls: readonly MadeCall[], why?: string): Evaluation {
  const record = { answer: '', answered: true, calls, ms: 0 }
  return { group: 'any', scenario: 'any', request: { request: 'any', expected }, record, why }
}

it('T3-26: scores calls by precision, recall and F1', () => {
  const score = scoreOf([
    evaluation([{ tool: 'a', args: { x: 1 } }, { tool: 'b' }], [call('a', { x: 1, y: 2 }), call('c')], 'wrong'),
    evaluation([], [call('b')], 'too many'),
    evaluation([{ tool: 'd', fails: true }], [call('d', {}, false)]),
  ])
  expect(score).toMatchObject({ requests: 3, passed: 1, precision: 2 / 4, recall: 2 / 3 })
  expect(score.f1).toBeCloseTo(4 / 7)
})

it('T3-26: counts no call twice, and none with wrong arguments or another outcome', () => {
  const twice = [{ tool: 'a' }, { tool: 'a' }]
  expect(scoreOf([evaluation(twice, [call('a')])]).recall).toBe(0.5)
  expect(scoreOf([evaluation([{ tool: 'a', args: { x: 1 } }], [call('a', { x: 2 })])]).precision).toBe(0)
  expect(scoreOf([evaluation([{ tool: 'a' }], [call('a', {}, false)])]).f1).toBe(0)
})

it('T3-26: is perfect when nothing was expected and nothing was called', () => {
  expect(scoreOf([evaluation([], [])])).toEqual({ requests: 1, passed: 1, precision: 1, recall: 1, f1: 1 })
})
