import { describe, expect, it } from 'vitest'
import { followRun } from './follow-run.ts'
import type { DemoEngine, DemoStatus } from './run-data.ts'

const input = { request: 'Pay', user: 'demo' }
const common = { id: 'one', input, startedAt: '2026-11-23T00:00:00.000Z' }
const waitsFor = (...names: string[]): DemoStatus => ({ ...common, state: 'waiting', waitsFor: names.map((name) => ({ name })) })
const finished: DemoStatus = { ...common, state: 'finished', waitsFor: [] }

/** An engine that says one after the other, and the last for good. */
function saying(...statuses: (DemoStatus | undefined)[]): DemoEngine {
  const said = [...statuses]
  const status = async () => (said.length > 1 ? said.shift() : said[0])
  return { status, list: async () => [finished] } as unknown as DemoEngine
}

const { signal } = new AbortController()

describe('a run that is followed', () => {
  it('is followed until it waits, or is over', async () => {
    const running: DemoStatus = { ...common, state: 'running', waitsFor: [] }
    expect(await followRun(saying(running, running, finished), 'one', { signal })).toBe(finished)
    expect(await followRun(saying(running, waitsFor('b'), finished), 'one', { signal })).toEqual(waitsFor('b'))
  })

  it('is given up on for the reason of the signal, also while nothing happens', async () => {
    const controller = new AbortController()
    const following = followRun(saying({ ...common, state: 'queued', waitsFor: [] }), 'one', { signal: controller.signal })
    controller.abort(new Error('Stop.'))
    await expect(following).rejects.toThrow('Stop.')
  })

  it('that is not there is told with the nearest one', async () => {
    await expect(followRun(saying(undefined), 'oen', { signal })).rejects.toThrow('There is no run "oen". Did you mean "one"?')
  })
})
