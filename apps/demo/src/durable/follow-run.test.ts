import { describe, expect, it } from 'vitest'
import { followRun } from './follow-run.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

const input = { request: 'Pay', user: 'demo' }
const common = { id: 'one', input, startedAt: '2026-11-23T00:00:00.000Z' }
const waitsFor = (...names: string[]): DemoStatus => ({ ...common, state: 'waiting', waitsFor: names.map((name) => ({ name })) })
const finished: DemoStatus = { ...common, state: 'finished', waitsFor: [] }

/** Creates an engine that returns one status after the other, and then keeps returning the last one. */
function saying(...statuses: (DemoStatus | undefined)[]): DemoEngine {
  const said = [...statuses]
  const status = async () => (said.length > 1 ? said.shift() : said[0])
  return { status, list: async () => [finished] } as unknown as DemoEngine
}

const { signal } = new AbortController()

describe('a run that is followed', () => {
  it('is followed until it waits or ends', async () => {
    const running: DemoStatus = { ...common, state: 'running', waitsFor: [] }
    expect(await followRun(saying(running, running, finished), 'one', { signal })).toBe(finished)
    expect(await followRun(saying(running, waitsFor('b'), finished), 'one', { signal })).toEqual(waitsFor('b'))
  })

  it('rejects with the reason of the signal, also while nothing happens', async () => {
    const controller = new AbortController()
    const following = followRun(saying({ ...common, state: 'queued', waitsFor: [] }), 'one', { signal: controller.signal })
    controller.abort(new Error('Stop.'))
    await expect(following).rejects.toThrow('Stop.')
  })

  it('that does not exist is reported with the nearest one', async () => {
    await expect(followRun(saying(undefined), 'oen', { signal })).rejects.toThrow('There is no run "oen". Did you mean "one"?')
  })
})
