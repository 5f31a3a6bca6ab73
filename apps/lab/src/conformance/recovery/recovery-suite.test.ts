/** Tests the `recovery` suite: each level can fail in every way, and the suite fails if too few `may` cases are recovered. */
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestRunner } from '../../../test/conformance/runner.ts'
import type { Answer } from './recovery-case.ts'
import type { RecoveryReader } from './recovery-score.ts'
import { defineRecoverySuite } from './recovery-suite.ts'

const { folder, run, runJson, writeCorpus } = createTestRunner()
afterAll(() => rmSync(folder, { recursive: true }))

const value = (given: unknown, ...tags: string[]): Answer => ({ ok: true, value: given, tags })
const refusal = (code = 'truncated'): Answer => ({ ok: false, code })

/** Creates parsers for both layers that return the test's answers. */
function answering(answer: () => Answer, argumentAnswer = answer): RecoveryReader {
  return {
    recoverJson: answer,
    parseArguments: argumentAnswer,
    argumentStream: () => ({ push: () => [], snapshot: () => ({ a: 1 }) }),
  }
}

/** On a busy machine, a real clock would find a case slow. */
const standingClock = () => () => 0

const score = (cases: readonly object[], reader: RecoveryReader) =>
  runJson('recovery', { 'cases.json': cases }, [defineRecoverySuite(reader, standingClock)])

const pass = { id: 'one', level: 'pass', input: '{"a":-0}', expected: { a: 0 } }
const must = { id: 'one', level: 'must', input: '{"a":1,}', expected: { a: 1 }, tag: 'trailing_comma' }
const may = { ...must, level: 'may' }
const reject = { id: 'one', level: 'reject', input: '{"a":', expected: null }
const nocrash = { id: 'one', level: 'nocrash', input: null, gen: [['{a', 1000]], expected: null }

describe('a level', () => {
  it.each([
    ['pass', pass, value({ a: -0 })],
    ['pass, of a text too large to write its value down', { ...pass, input: null, gen: [['1', 9]] }, value(1)],
    ['must', must, value({ a: 1 }, 'trailing_comma')],
    ['may', may, value({ a: 1 }, 'trailing_comma')],
    ['reject', reject, refusal()],
    ['nocrash', nocrash, value(5)],
  ])('passes what is right: %s', async (_, recoveryCase, answer) => {
    const { code, report } = await score(
      [recoveryCase],
      answering(() => answer),
    )
    expect(report).toMatchObject({ passed: 1, failed: 0, failures: [], metrics: { silentWrong: 0, threw: 0, slow: 0 } })
    const { level } = recoveryCase as { readonly level: string }
    expect(report.metrics).toMatchObject({ [level]: [1, 1] })
    expect(code).toBe(0)
  })

  it.each([
    ['pass, of another value', pass, value({ a: 0 }), 1, 'wrong value {"a":0}'],
    [
      'pass, of a value that the case expects otherwise',
      { ...must, level: 'pass', input: '{"a":2}' },
      value({ a: 2 }),
      1,
      'wrong value {"a":2}',
    ],
    ['pass, of a text that is not valid', { ...must, level: 'pass' }, value({ a: 1 }), 1, 'wrong value {"a":1}'],
    ['pass, with a tag', pass, value({ a: -0 }, 'comment'), 0, 'tagged comment although it is valid'],
    ['pass, refused', pass, refusal(), 0, 'refused as truncated'],
    ['must, of another value', must, value({ a: 2 }, 'comment'), 1, 'wrong value {"a":2}'],
    ['must, without a tag', must, value({ a: 1 }), 0, 'recovered without a tag'],
    ['must, refused', must, refusal(), 0, 'refused as truncated'],
    ['may, of another value', may, value([], 'comment'), 1, 'wrong value []'],
    ['may, without a tag', may, value({ a: 1 }), 0, 'recovered without a tag'],
    ['reject, accepted', reject, value({ a: null }, 'missing_close'), 1, 'accepted as {"a":null}'],
    ['reject, without a code', reject, refusal(''), 0, 'refused without a code'],
  ])('fails what is wrong: %s', async (_, recoveryCase, answer, silentWrong, why) => {
    const { code, report } = await score(
      [recoveryCase],
      answering(() => answer),
    )
    expect(report.failures[0]).toEqual({ id: 'one', why })
    expect(report).toMatchObject({ passed: 0, metrics: { silentWrong, [recoveryCase.level]: [0, 1] } })
    expect(code).toBe(1)
  })

  it.each([pass, must, may, reject, nocrash])('fails a parser that throws: $level', async (recoveryCase) => {
    const throwing = answering(() => {
      throw new Error('no text today')
    })
    const { code, report } = await score([recoveryCase], throwing)
    expect(report.failures[0]).toEqual({ id: 'one', why: 'threw Error: no text today' })
    expect(report.metrics).toMatchObject({ threw: 1, [recoveryCase.level]: [0, 1] })
    expect(code).toBe(1)
  })

  it.each([pass, must, may, reject, nocrash])('fails a parser that takes too long: $level', async (recoveryCase) => {
    const { code, report } = await score(
      [{ ...recoveryCase, max_ms: -1 }],
      answering(() => (recoveryCase === reject ? refusal() : value({ a: 1 }, 'x'))),
    )
    expect(report.failures[0]?.why).toContain('slow: ')
    expect(report.metrics).toMatchObject({ slow: 1 })
    expect(code).toBe(1)
  })
})

it('requires at least nine of ten optional recoveries', async () => {
  const cases = Array.from({ length: 10 }, (_, index) => ({ ...may, id: `may ${index}` }))
  const refusing = (times: number) => {
    let left = times
    return answering(() => (left-- > 0 ? refusal() : value({ a: 1 }, 'trailing_comma')))
  }
  const enough = await score(cases, refusing(1))
  expect(enough.report).toMatchObject({ passed: 10, failed: 0, metrics: { mayShare: 0.9 } })
  const few = await score(cases, refusing(2))
  expect(few.report).toMatchObject({ passed: 10, failed: 1, metrics: { mayShare: 0.8 } })
  expect(few.report.failures).toEqual([{ id: 'may', why: '8 of 10 recovered: 80.0 %, the goal is 90 %' }])
  expect([enough.code, few.code]).toEqual([0, 1])
})

it('reports the metrics in the format of the corpora: right and all of each level, and the counts', async () => {
  const { report } = await score(
    [pass, must, may, reject, nocrash].map((one) => ({ ...one, partial: { a: 1 } })),
    answering(() => refusal()),
  )
  const { maxMs, arguments: above, ...metrics } = report.metrics as Readonly<Record<string, unknown>>
  expect(metrics).toEqual({
    pass: [0, 1],
    must: [0, 1],
    may: [0, 1],
    reject: [1, 1],
    nocrash: [1, 1],
    mayShare: 0,
    silentWrong: 0,
    threw: 0,
    slow: 0,
    partial: [4, 4],
  })
  expect(maxMs).toBeTypeOf('number')
  expect(above).toEqual({ pass: [0, 0], must: [0, 0], may: [0, 0], reject: [0, 0], nocrash: [0, 0] })
})

it('passes the data of a case about the end of its text, and nothing without such data', async () => {
  const asked: unknown[] = []
  const reader: RecoveryReader = {
    ...answering(() => refusal()),
    recoverJson: (_, options) => {
      asked.push(options.complete)
      return refusal()
    },
  }
  await score([reject, { ...reject, complete: true }, { ...reject, complete: false }], reader)
  expect(asked).toEqual([undefined, true, false])
})

it('also reads a case one layer up, if it has an expectation for it', async () => {
  const empty = { ...reject, input: '', level_args: 'must', expected_args: {} }
  const right = await score(
    [empty],
    answering(
      () => refusal(),
      () => value({}, 'empty'),
    ),
  )
  expect(right.report).toMatchObject({ passed: 2, metrics: { arguments: { must: [1, 1] } } })
  const wrong = await score(
    [empty],
    answering(
      () => refusal(),
      () => value({ a: 1 }, 'empty'),
    ),
  )
  expect(wrong.report).toMatchObject({ passed: 1, failed: 1, metrics: { silentWrong: 1 } })
  expect(wrong.report.failures).toEqual([{ id: 'one (arguments)', why: 'wrong value {"a":1}' }])
  expect([right.code, wrong.code]).toEqual([0, 1])
})

it('counts the partial values of objects that agree, and never fails for them', async () => {
  const partials = [{ a: 1 }, { a: 2 }, ['a'], 'a']
  const cases = partials.map((partial, index) => ({ ...reject, id: `partial ${index}`, partial }))
  const { code, report } = await score(
    cases,
    answering(() => refusal()),
  )
  expect(report).toMatchObject({ failed: 0, metrics: { partial: [1, 2] } })
  expect(code).toBe(0)
})

it('fails a stream that throws', async () => {
  const argumentStream = () => {
    throw new Error('no stream today')
  }
  const { code, report } = await score([{ ...reject, partial: {} }], { ...answering(() => refusal()), argumentStream })
  expect(report.failures).toEqual([{ id: 'one (stream)', why: 'threw Error: no stream today' }])
  expect(report.metrics).toMatchObject({ threw: 1 })
  expect(code).toBe(1)
})

it('shows a wrong value that is too deep to serialize', async () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  const { report } = await score(
    [reject],
    answering(() => value(deep, 'x')),
  )
  expect(report.failures).toEqual([{ id: 'one', why: 'accepted as a value too deep to show' }])
})

it.each([
  ['an unknown level', { ...must, level: 'mist' }],
  ['no text', { ...must, input: null }],
  ['an unknown level one layer up', { ...must, level_args: 'mist' }],
])('cannot run on a case with %s', async (_, recoveryCase) => {
  const corpus = writeCorpus({ 'cases.json': [recoveryCase] })
  const { code, err } = await run(['recovery', '--corpus', corpus])
  expect(err).toContain('has no text, or its level is not one of pass, must, may, reject, nocrash.')
  expect(code).toBe(2)
})
