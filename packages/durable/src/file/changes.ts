/** What is recorded about a run from outside of it. */
import type { OpenJournal } from '../journal/open-journal.ts'
import { assertSameInput, unknownRun } from '../run-errors.ts'
import type { LiveRun } from './live-run.ts'
import { END, type RunStart, START } from './run-records.ts'
import type { RunStore } from './run-store.ts'

/** True when it was not there before. Rejects with `another_input`. */
export function begin(store: RunStore, id: string, input: unknown): Promise<boolean> {
  return store.alone(id, async () => {
    const { folder } = store
    const before = await folder.read(id)
    if (before === undefined) return await beginNew(store, id, input)
    assertSameInput(id, before.start.input, input)
    return false
  })
}

async function beginNew(store: RunStore, id: string, input: unknown): Promise<boolean> {
  await using journal = await store.openPatiently(id, false)
  const start = journal.noted(START) as RunStart | undefined
  // Another process may have been quicker meanwhile, and may have put it away already.
  const over = start === undefined ? await store.folder.read(id) : undefined
  const before = start ?? over?.start
  if (before !== undefined) {
    if (start === undefined) await store.folder.forget(id)
    assertSameInput(id, before.input, input)
    return false
  }
  await journal.note(START, { input, at: new Date().toISOString() } satisfies RunStart)
  return true
}

interface OpenRun {
  readonly journal: OpenJournal
  /** Where it is executed in this process. */
  readonly live?: LiveRun | undefined
}

/** False, and nothing is done, when the run is over. Rejects with `unknown_run`, and with `in_use` where another process has it for long. */
export function change(store: RunStore, id: string, work: (run: OpenRun) => Promise<void>): Promise<boolean> {
  return store.alone(id, async () => {
    const live = store.live.get(id)
    const opened = live === undefined ? await openThere(store, id) : undefined
    await using _ = opened
    const run = live === undefined ? opened && { journal: opened } : { journal: live.journal, live }
    if (run === undefined || run.journal.noted(END) !== undefined) return false
    await work(run)
    return true
  })
}

/** Undefined when it is over. */
async function openThere(store: RunStore, id: string): Promise<OpenJournal | undefined> {
  const records = await store.folder.read(id)
  if (records === undefined) throw unknownRun(id)
  if (records.end !== undefined) return undefined
  try {
    return await store.openPatiently(id, true)
  } catch (cause) {
    const isOver = (await store.folder.read(id))?.end !== undefined
    if (isOver) return undefined
    throw cause
  }
}
