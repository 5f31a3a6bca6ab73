import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { answer } from '../../test/tools.ts'
import { predict } from '../predict/predict.ts'
import { evaluate } from './evaluate.ts'

const cases = [1, 2, 3, 4, 5].map((inputs) => ({ inputs, expected: inputs * 2 }))
const isEqual = (expected: number, output: number) => expected === output

describe('evaluate', () => {
  it('runs a module on every case and returns the mean score', async () => {
    const lm = scriptedLM([{ text: 'Oslo' }, { text: 'Bergen' }])
    const capitals = ['Norway', 'Sweden'].map((country) => ({ inputs: { question: country }, expected: 'Oslo' }))
    const { score, results } = await evaluate(
      predict({ lm, signature: answer }),
      capitals,
      (expected, output) => expected === output.answer,
      { concurrency: 1 },
    )
    expect(score).toBe(0.5)
    expect(results).toMatchObject([
      { inputs: { question: 'Norway' }, expected: 'Oslo', output: { answer: 'Oslo' }, score: 1, ms: expect.any(Number) },
      { inputs: { question: 'Sweden' }, expected: 'Oslo', output: { answer: 'Bergen' }, score: 0 },
    ])
  })

  it('accepts a synchronous module', async () => {
    expect((await evaluate((n: number) => n * 2, cases, isEqual)).score).toBe(1)
  })

  it('keeps the order of the cases, whichever finishes first', async () => {
    const slowFirst = async (inputs: number) => {
      for (let turn = inputs; turn < 6; turn++) await Promise.resolve()
      return inputs * 2
    }
    const { results } = await evaluate(slowFirst, cases, isEqual)
    expect(results.map(({ output }) => output)).toEqual([2, 4, 6, 8, 10])
  })

  it('scores a failed case 0 and reports it, and continues with the others', async () => {
    const failing = async (inputs: number) => {
      if (inputs === 2) throw new Error('broken')
      return inputs * 2
    }
    const { score, results } = await evaluate(failing, cases, isEqual)
    expect(score).toBe(0.8)
    expect(results[1]).toMatchObject({ inputs: 2, score: 0, error: { message: 'broken' } })
    expect(results[1]).not.toHaveProperty('output')
    expect(results.filter((result) => 'error' in result)).toHaveLength(1)
  })

  it('counts a module that throws synchronously as a failed case', async () => {
    const throwing = (): Promise<number> => {
      throw new Error('at once')
    }
    expect((await evaluate(throwing, cases, isEqual)).score).toBe(0)
  })

  it('accepts an asynchronous metric with fractional scores', async () => {
    const { score } = await evaluate(
      async (inputs: number) => inputs,
      cases,
      async () => 0.25,
    )
    expect(score).toBe(0.25)
  })

  it.each([
    () => Number.NaN,
    () => {
      throw new Error('no')
    },
  ])('reports a failed metric together with the output: %#', async (metric) => {
    const { score, results } = await evaluate(async (inputs: number) => inputs, cases.slice(0, 1), metric)
    expect(score).toBe(0)
    expect(results).toMatchObject([{ output: 1, score: 0, error: expect.any(Error) }])
  })

  it('runs at most as many cases at once as concurrency allows', async () => {
    let open = 0
    let most = 0
    const counting = async (inputs: number) => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return inputs
    }
    await evaluate(counting, cases, isEqual, { concurrency: 2 })
    expect(most).toBe(2)
  })

  it('aborts with its caller, even if the module ignores the signal, and starts no other case', async () => {
    const controller = new AbortController()
    const asked: number[] = []
    const hanging = (inputs: number) => {
      asked.push(inputs)
      return new Promise<number>(() => {})
    }
    const evaluation = evaluate(hanging, cases, isEqual, { concurrency: 2, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(evaluation).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } })
    expect(asked).toEqual([1, 2])
  })

  it('passes the signal on', async () => {
    const { signal } = new AbortController()
    const seen: unknown[] = []
    await evaluate(
      async (_: number, options) => seen.push(options?.signal),
      cases.slice(0, 1),
      () => true,
      { signal },
    )
    expect(seen).toEqual([signal])
  })

  it.each([0, 1.5, Number.NaN])('refuses the concurrency %d', async (concurrency) => {
    await expect(evaluate(async () => 1, cases, isEqual, { concurrency })).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it.each([
    [{ inputs: 1 }, 'cases must be'],
    [[cases[0], undefined], 'cases[1] must be'],
    [[null], 'cases[0] must be'],
    [[cases[0], { input: 2, expected: 4 }], 'cases[1].inputs must be'],
  ])('names the invalid case, and runs nothing: %#', async (given, words) => {
    const module = async () => expect.unreachable()
    await expect(evaluate(module, given as typeof cases, isEqual)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(words),
    })
  })

  it("rejects a module or a metric that isn't a function", async () => {
    for (const [module, metric] of [
      [{}, isEqual],
      [async () => 1, undefined],
    ])
      await expect(evaluate(module as never, cases, metric as never)).rejects.toMatchObject({ code: 'invalid_options' })
  })

  it('rejects an empty list of cases', async () => {
    await expect(
      evaluate(
        async () => 1,
        [],
        () => true,
      ),
    ).rejects.toMatchObject({ code: 'invalid_options' })
  })
})
