import { expect, it } from 'vitest'
import type { MadeCall } from '../agent/made-calls.ts'
import type { ExpectedCall } from '../domains/domain.ts'
import { isServed } from './judge.ts'

const found = { tool: 'find', args: { text: 'tea', limit: 5 }, ok: true }

const isDone = (expected: readonly ExpectedCall[], calls: readonly MadeCall[]) =>
  isServed({ request: '', expected }, { calls, answer: '', answered: true })

it('a request is served by the expected calls in their order, with the arguments that matter', () => {
  expect(isDone([{ tool: 'find', args: { text: 'tea' } }], [found])).toBe(true)
  expect(isDone([{ tool: 'find', args: { text: 'cake' } }], [found])).toBe(false)
  expect(isDone([{ tool: 'find' }, { tool: 'buy' }], [{ tool: 'buy', args: {}, ok: true }, found])).toBe(false)
})

it('an argument is compared after coercion: a number in a text, a text in another case', () => {
  const call = (args: object) => [{ tool: 'find', args: { ...args }, ok: true }]
  const expected = [{ tool: 'find', args: { limit: 5, text: 'Green tea' } }]
  expect(isDone(expected, call({ limit: '5', text: ' green  Tea.' }))).toBe(true)
  for (const args of [
    { limit: '5', text: 'green' },
    { limit: '', text: 'Green tea' },
    { limit: 6, text: 'Green tea' },
    { limit: 5 },
  ])
    expect(isDone(expected, call(args))).toBe(false)
})

it('a call too many or too few is a failure', () => {
  expect(isDone([], [found])).toBe(false)
  expect(isDone([{ tool: 'find' }], [])).toBe(false)
  expect(isDone([{ tool: 'find' }], [found, found])).toBe(false)
})

it('a failed call counts only where the tool must refuse', () => {
  expect(isDone([{ tool: 'find' }], [{ ...found, ok: false }])).toBe(false)
  expect(isDone([{ tool: 'find', fails: true }], [{ ...found, ok: false }])).toBe(true)
  expect(isDone([{ tool: 'find', fails: true }], [found])).toBe(false)
})

it('the answer must exist and contain the expected text', () => {
  const request = { request: '', expected: [], answer: 'Tea' }
  expect(isServed(request, { calls: [], answer: 'Some tea.', answered: true })).toBe(true)
  expect(isServed(request, { calls: [], answer: 'Some cake.', answered: true })).toBe(false)
  expect(isServed(request, { calls: [], answer: 'Tea', answered: false })).toBe(false)
})
