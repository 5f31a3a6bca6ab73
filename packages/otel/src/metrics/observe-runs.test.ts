import { diag } from '@opentelemetry/api'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectTelemetry } from '../../test/telemetry.ts'
import { countProblems, observeRuns } from './observe-runs.ts'

const COUNTS = { queued: 2, running: 1, waiting: 3, held: 0, oldestQueuedMs: 1500 }

function observed(stats: () => Promise<typeof COUNTS & { readonly crashing?: number }>) {
  const { meter, metrics } = collectTelemetry()
  const stop = observeRuns({ stats }, { name: 'bills', meter })
  const values = async () =>
    (await metrics()).flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => [name, unit, attributes['x.engine.name'], attributes['x.run.state'], value]),
    )
  return { values, stop }
}

describe('observeRuns', () => {
  it('records the runs by state and the age of the queue, with one query for each collection', async () => {
    let calls = 0
    const { values, stop } = observed(async () => {
      calls++
      return { ...COUNTS, crashing: 1 }
    })
    const expected = [
      ['x.durable.runs', '{run}', 'bills', 'queued', 2],
      ['x.durable.runs', '{run}', 'bills', 'running', 1],
      ['x.durable.runs', '{run}', 'bills', 'waiting', 3],
      ['x.durable.runs', '{run}', 'bills', 'held', 0],
      ['x.durable.queue.age', 's', 'bills', undefined, 1.5],
      ['x.durable.runs.crashing', '{run}', 'bills', undefined, 1],
    ]
    expect(await values()).toEqual(expected)
    expect(await values()).toEqual(expected)
    expect(calls).toBe(2)
    stop()
    await values()
    expect(calls).toBe(2)
  })

  it('omits a count that the engine lacks', async () => {
    const { values } = observed(async () => COUNTS)
    expect((await values()).map(([name]) => name)).not.toContain('x.durable.runs.crashing')
  })

  it('records nothing while the engine fails, and logs the type of the error without its message', async () => {
    const error = vi.spyOn(diag, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    let isAway = true
    const { values } = observed(async () => {
      if (isAway) throw Object.assign(new Error('secret'), { code: 'engine_failed' })
      return COUNTS
    })
    expect(await values()).toEqual([])
    expect(error.mock.calls).toEqual([['@x/otel: reading the runs of an engine failed (engine_failed).']])
    isAway = false
    expect(await values()).toHaveLength(5)
  })
})

describe('countProblems', () => {
  it('counts problems by engine and code, and passes them on', async () => {
    const { meter, metrics } = collectTelemetry()
    const logged: string[] = []
    const onProblem = countProblems({ name: 'bills', meter, onProblem: ({ code }) => logged.push(code) })
    for (const code of ['run_held', 'no_worker', 'run_held']) onProblem({ code })
    countProblems({ meter })({ code: 'run_held' })
    const [problems, ...rest] = await metrics()
    expect(rest).toEqual([])
    expect(problems?.descriptor).toMatchObject({ name: 'x.durable.problems', unit: '{problem}' })
    expect(problems?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ 'x.engine.name': 'bills', 'error.type': 'run_held' }, 2],
      [{ 'x.engine.name': 'bills', 'error.type': 'no_worker' }, 1],
      [{ 'error.type': 'run_held' }, 1],
    ])
    expect(logged).toEqual(['run_held', 'no_worker', 'run_held'])
  })

  it('passes a problem on when it cannot be counted', () => {
    const error = vi.spyOn(diag, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const { meter } = collectTelemetry()
    vi.spyOn(meter, 'createCounter').mockReturnValue({
      add() {
        throw new Error('secret')
      },
    })
    const logged: string[] = []
    countProblems({ meter, onProblem: ({ code }) => logged.push(code) })({ code: 'lost' })
    expect(logged).toEqual(['lost'])
    expect(error).toHaveBeenCalledOnce()
  })
})
