import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createFileEngine } from './file-engine.ts'
import { RunFolder } from './run-folder.ts'
import { CRASHES, type RunCrashes } from './run-records.ts'
import { RunStore } from './run-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'suspects-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('interrupted runs follow each other as soon as the one before has a record, without waiting for the next look', async () => {
  const ids = ['a', 'b', 'c', 'd']
  {
    await using client = await createFileEngine<null, string>({ folder })
    for (const id of ids) await client.start(id, null)
  }
  const store = new RunStore(await RunFolder.open(folder), true, () => {})
  for (const id of ids) {
    await using held = await store.hold(id)
    await held?.journal.note(CRASHES, { count: 2, records: 0, at: new Date(0).toISOString() } satisfies RunCrashes)
  }
  let active = 0
  let most = 0
  await using engine = await createFileEngine<null, string>({
    folder,
    // The worker looks once, when it is created.
    lookEveryMs: 2 ** 30,
    fn: async (_, { id, steps }) => {
      most = Math.max(most, ++active)
      await steps.run('a', async () => 1)
      active--
      return id
    },
  })
  expect(await Promise.all(ids.map((id) => engine.result(id)))).toEqual(ids)
  expect(most).toBe(1)
})
