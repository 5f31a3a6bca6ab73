import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Results } from './results.ts'

describe('awaited results', () => {
  it('arrive while others are requested repeatedly', async () => {
    const { results } = open({ over: 'SUCCESS' })
    let isOver = false
    const others = (async () => {
      for (let count = 0; !isOver && count < 10_000; count++) {
        results.wait(`other-${count}`).catch(() => {})
        await sleep(2)
      }
      return isOver
    })()
    await results.wait('over')
    isOver = true
    expect(await others).toBe(true)
    results.close()
  })

  it('can be aborted with the reason of the signal, which stops the queries', async () => {
    const { results, looks } = open({ a: 'PENDING', b: 'PENDING' })
    const controller = new AbortController()
    const { signal } = controller
    const waiting = results.wait('a', signal)
    const other = results.wait('a').catch((cause) => cause)
    await expect.poll(looks).toBeGreaterThan(0)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(results.isAwaited('a')).toBe(true)
    await expect(results.wait('b', signal)).rejects.toThrow('enough')
    expect(results.isAwaited('b')).toBe(false)
    results.close()
    expect(await other).toMatchObject({ code: 'closed' })
    const alone = open({ a: 'PENDING' })
    const last = new AbortController()
    const givenUp = expect(alone.results.wait('a', last.signal)).rejects.toThrow('enough')
    await expect.poll(alone.looks).toBeGreaterThan(0)
    last.abort(new Error('enough'))
    await givenUp
    const before = alone.looks()
    await sleep(300)
    expect(alone.looks()).toBe(before)
  })
})

it('many results can share one signal without a warning', async () => {
  const { results } = open({ a: 'PENDING' })
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  const controller = new AbortController()
  const waits = Array.from({ length: 30 }, () => results.wait('a', controller.signal).catch(() => 'ended'))
  await sleep(50)
  controller.abort()
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['ended']))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})

/** Creates results that read the given states from a fake database. */
function open(statuses: Readonly<Record<string, string>>) {
  let looks = 0
  const query = async (_: string, [ids]: [string[]]) => {
    looks++
    return { rows: ids.map((id) => ({ workflow_uuid: id, status: statuses[id] ?? 'PENDING', executor_id: null })) }
  }
  return { results: new Results({ query } as unknown as pg.Pool, () => {}), looks: () => looks }
}
