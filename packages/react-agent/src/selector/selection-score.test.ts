import { scriptedLM } from '@x/lm/testing'
import { expect, it } from 'vitest'
import { getWeather, now } from '../../test/selector/selection.ts'
import { call } from '../../test/tools.ts'
import { evaluate } from '../evaluate/evaluate.ts'
import { multiToolSelector } from './multi-tool-selector.ts'
import { scoreSelections, selectionScore } from './selection-score.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))

it.each([
  ['all of them, in any order', ['a', 'b'], ['b', 'a'], { precision: 1, recall: 1, f1: 1 }],
  ['one too many', ['a'], ['a', 'b'], { precision: 0.5, recall: 1, f1: 2 / 3 }],
  ['one too few', ['a', 'b'], ['a'], { precision: 1, recall: 0.5, f1: 2 / 3 }],
  ['another one', ['a'], ['b'], { precision: 0, recall: 0, f1: 0 }],
  ['one twice that is expected once', ['a'], ['a', 'a'], { precision: 0.5, recall: 1, f1: 2 / 3 }],
  ['one once that is expected twice', ['a', 'a'], ['a'], { precision: 1, recall: 0.5, f1: 2 / 3 }],
  ['none, as expected', [], [], { precision: 1, recall: 1, f1: 1 }],
  ['one where none is expected', [], ['a'], { precision: 0, recall: 1, f1: 0 }],
  ['none where one is expected', ['a'], [], { precision: 1, recall: 0, f1: 0 }],
])('T3-26: %s', (_what, expected, selected, score) => {
  expect(selectionScore(expected, named(...selected))).toEqual(score)
})

it('T3-26: over a set, a selection of three tools counts three times', () => {
  const set = [
    { expected: ['a', 'b', 'c'], selected: named('a', 'b', 'c') },
    { expected: ['a'], selected: named('b') },
  ]
  expect(scoreSelections(set)).toEqual({ precision: 0.75, recall: 0.75, f1: 0.75 })
})

it('T3-26: scores a selector with known expected tools', async () => {
  const lm = scriptedLM([{ toolCalls: [call('now')] }, { toolCalls: [call('now')] }])
  const select = multiToolSelector({ lm, tools: [getWeather, now] })
  const { score } = await evaluate(
    (request: string) => select(request),
    [
      { inputs: 'What time is it?', expected: ['now'] },
      { inputs: 'How warm is it?', expected: ['get_weather'] },
    ],
    (expected, { toolCalls }) => selectionScore(expected, toolCalls).f1,
    { concurrency: 1 },
  )
  expect(score).toBe(0.5)
})
