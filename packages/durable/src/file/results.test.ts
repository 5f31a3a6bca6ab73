import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { RunStatus } from '../engine/engine.ts'
import { DurableError } from '../errors.ts'
import { begin, change } from './changes.ts'
import type { LiveRun } from './live-run.ts'
import type { OwnedRun } from './owned-run.ts'
import { Results } from './results.ts'
import { RunFolder } from './run-folder.ts'
import { toStatus } from './run-records.ts'
import { RunStore } from './run-store.ts'

const root = mkdtempSync(join(tmpdir(), 'results-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function openResults(name: string) {
  const store = new RunStore(await RunFolder.open(join(root, name)), true, () => {})
  let reads = 0
  const statusOf = async (id: string): Promise<RunStatus | undefined> => {
    reads++
    const records = await store.folder.read(id)
    return records && toStatus(id, records, false)
  }
  const results = new Results({ store, lookEveryMs: 10, statusOf })
  return { store, results, reads: () => reads }
}

describe('callers that wait for a run', () => {
  it('share one check of its journal, and another one when it was written', async () => {
    const { store, results, reads } = await openResults('shared')
    await begin(store, 'a', 1, () => false)
    const waiting = Promise.allSettled(Array.from({ length: 20 }, () => results.of('a', undefined)))
    await sleep(300)
    // There are about 30 checks in this time.
    expect(reads()).toBeLessThan(5)
    const before = reads()
    await change(store, 'a', { type: 'cancel' })
    const ends = await waiting
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'run_cancelled' } })
    expect(reads()).toBe(before + 1)
  })

  it('do not fail when its journal could not be opened once', async () => {
    const { store, results, reads } = await openResults('again')
    await begin(store, 'a', 1, () => false)
    const waits = results.of('a', undefined).catch((cause) => cause)
    await expect.poll(reads).toBe(1)
    const read = vi.spyOn(store.folder, 'read').mockRejectedValue(new DurableError('cannot_open', 'No room (EMFILE).'))
    results.check('a')
    await expect.poll(() => read.mock.settledResults.length).toBeGreaterThan(0)
    read.mockRestore()
    await change(store, 'a', { type: 'cancel' })
    expect(await waits).toMatchObject({ code: 'run_cancelled' })
  })

  it('do not fail when the journal of a run that ended in this process could not be opened once', async () => {
    const { store, results } = await openResults('here')
    const live: { owned?: OwnedRun } = {}
    await begin(store, 'a', 1, (owned) => {
      live.owned = owned
      return true
    })
    store.live.set('a', live as LiveRun)
    const waits = results.of('a', undefined).catch((cause) => cause)
    const read = vi.spyOn(store.folder, 'read').mockRejectedValueOnce(new DurableError('cannot_open', 'No room (EMFILE).'))
    await live.owned?.giveUp({ name: 'Error', message: 'ended' })
    await live.owned?.close()
    store.live.delete('a')
    results.check('a')
    await expect.poll(() => read.mock.settledResults.length).toBeGreaterThan(0)
    expect(await waits).toMatchObject({ code: 'run_failed', failure: { message: 'ended' } })
    read.mockRestore()
  })

  it('all fail when the engine is closed, and when the run does not exist', async () => {
    const { store, results } = await openResults('closed')
    await begin(store, 'a', 1, () => false)
    const waits = results.of('a', undefined)
    await expect(results.of('missing', undefined)).rejects.toMatchObject({ code: 'unknown_run' })
    results.close()
    await expect(waits).rejects.toMatchObject({ code: 'closed' })
  })
})
