import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { AppendQueue } from './journal/append-queue.ts'
import { OpenJournal } from './journal/open-journal.ts'
import { FIRST_SUM, toLine, toRecord } from './journal/record.ts'
import { LiveRun } from './live-run.ts'
import { OwnedRun } from './owned-run.ts'
import { RunFolder } from './run-folder.ts'
import { type RunStart, START } from './run-records.ts'

const root = mkdtempSync(join(tmpdir(), 'live-run-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Creates a journal that can't record anything. */
async function fullJournal(): Promise<OpenJournal> {
  const handle = await open(join(root, 'a.journal'), 'a')
  await handle.close()
  const start: RunStart = { at: new Date().toISOString() }
  const run = new Map([[START, toLine('run', START, toRecord('run', START, start), FIRST_SUM).text]])
  const records = { step: new Map<string, string>(), decision: new Map<string, string>(), run }
  return new OpenJournal({ handle, queue: new AppendQueue(handle, true), records, sum: FIRST_SUM, release: () => {} })
}

it('a run that cannot be recorded any more is abandoned, even if its function retries forever', async () => {
  const owned = new OwnedRun({
    id: 'a',
    journal: await fullJournal(),
    folder: await RunFolder.open(root),
    release: () => {},
    markBusy: () => {},
  })
  let tries = 0
  const played = new LiveRun(owned).play(async (_, { steps }) => {
    for (;;) await steps.run('a', async () => ++tries).catch(() => new Promise((resolve) => setTimeout(resolve, 5)))
  })
  await expect(played).rejects.toMatchObject({ code: 'write_failed' })
  expect(tries).toBe(1)
})
