import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import { createFileEngine } from './file-engine.ts'
import { RunFolder } from './run-folder.ts'
import { CRASHES, type RunCrashes } from './run-records.ts'
import { RunStore } from './run-store.ts'

const top = mkdtempSync(join(tmpdir(), 'suspects-'))
afterEach(() => void vi.restoreAllMocks())
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** Opens a worker in a new folder that has these runs, each with this number of crashes. Looks once, when it is created. */
async function workerOn(
  runs: Readonly<Record<string, number>>,
  fn: RunFunction<null, string>,
  { at = 0, lookEveryMs = 2 ** 30 } = {},
) {
  const folder = mkdtempSync(join(top, 'runs-'))
  const ids = Object.keys(runs)
  {
    await using client = await createFileEngine<null, string>({ folder })
    for (const id of ids) await client.start(id, null)
  }
  const store = new RunStore(await RunFolder.open(folder), true, () => {})
  for (const [id, count] of Object.entries(runs)) {
    await using owned = await store.own(id)
    await owned?.journal.note(CRASHES, { count, records: 0, at: new Date(at).toISOString() } satisfies RunCrashes)
  }
  return await createFileEngine<null, string>({ folder, lookEveryMs, fn })
}

describe.each([
  ['once', 1],
  ['twice', 2],
])('runs that were interrupted %s', (_, count) => {
  it('follow each other as soon as the one before has a record, without waiting for the next look', async () => {
    const ids = ['a', 'b', 'c', 'd']
    // The time after which the next run is executed anyway doesn't pass.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    let active = 0
    let most = 0
    await using engine = await workerOn({ a: count, b: count, c: count, d: count }, async (_, { id, steps }) => {
      most = Math.max(most, ++active)
      await steps.run('a', async () => 1)
      active--
      return id
    })
    expect(await Promise.all(ids.map((id) => engine.result(id)))).toEqual(ids)
    expect(most).toBe(1)
  })
})

it('runs that were interrupted once wait neither for a slow step of another one nor for that of a suspect', async () => {
  const started = new Set<string>()
  const gate = newGate()
  await using engine = await workerOn({ suspect: 2, a: 1, b: 1, c: 1 }, async (_, { id, steps }) => {
    started.add(id)
    if (started.size === 4) gate.open()
    await steps.run('a', () => gate.opened)
    return id
  })
  for (const id of ['suspect', 'a', 'b', 'c']) expect(await engine.result(id)).toBe(id)
})

it('suspects wait for a slow step of the suspect before them, even if other runs continue meanwhile', async () => {
  const started: string[] = []
  const gate = newGate()
  await using engine = await workerOn({ suspect1: 2, suspect2: 2 }, async (_, { id, steps }) => {
    started.push(id)
    await steps.run('a', () => gate.opened)
    return id
  })
  await expect.poll(() => started.length).toBe(1)
  // The time after which an interrupted run that isn't a suspect would be executed anyway passes.
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
  for (let looks = 0; looks < 20; looks++) await setTimeout(10)
  expect(started.length).toBe(1)
  gate.open()
  expect([await engine.result('suspect1'), await engine.result('suspect2')]).toEqual(['suspect1', 'suspect2'])
})

it('a suspect waits no longer if the clock was set back after the crash', async () => {
  const crashedAt = { at: Date.now() + 3_600_000, lookEveryMs: 20 }
  await using engine = await workerOn({ suspect: 2 }, async (_, { id }) => id, crashedAt)
  expect(await engine.result('suspect')).toBe('suspect')
})

function newGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
