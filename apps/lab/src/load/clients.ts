/** Clients of a load test: start runs, decide them, and list them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListOptions } from '@x/durable'
import type { LoadEngine, Place } from './engines.ts'
import { addLine, STALLED_MS, watchLog } from './log.ts'
import { EDITED, type Kind } from './scripts.ts'
import type { LoadStatus } from './verdict.ts'

/** Passed to a process as JSON. */
export interface Settings {
  readonly role: 'work' | 'start' | 'decide'
  readonly place: Place
  /** Name of the runs' service. */
  readonly name: string
  readonly log: string
  readonly port?: number | undefined
  readonly concurrency?: number | undefined
  /** The runs that a client starts or decides. */
  readonly runs?: Runs | undefined
  /** Place of a client among those that decide the same runs. */
  readonly decider?: number | undefined
}

export interface Runs {
  readonly prefix: string
  readonly count: number
  readonly kind: Kind
}

/** The decisions that are taken in turn. Clients that decide the same runs start at different ones. */
const DECISIONS = {
  approve: true,
  reject: { type: 'reject', reason: 'Too much.' },
  edit: { type: 'edit', args: { amount: EDITED } },
} as const
const TYPES = Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]
/** Number of requests that a client sends at the same time. */
const CONCURRENT = 20
const RETRY_MS = 200
const PAGE = 100

export function idsOf({ prefix, count }: Runs): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}

/** Calls `work` for each item, for `CONCURRENT` items at a time, and again while the server doesn't answer. */
async function forEach<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const entries = items.entries()
  const one = async () => {
    for (const [index, item] of entries) await retried(() => work(item, index))
  }
  await Promise.all(Array.from({ length: CONCURRENT }, one))
}

/** Repeats a request while the server doesn't answer, for at most `STALLED_MS`. */
export async function retried<T>(request: () => Promise<T>): Promise<T> {
  const end = Date.now() + STALLED_MS
  for (;;) {
    try {
      return await request()
    } catch (cause) {
      if (codeOf(cause) !== 'engine_failed' || Date.now() > end) throw cause
      await sleep(RETRY_MS)
    }
  }
}

/** Waits until the condition holds, also while the server doesn't answer. Resolves to false if the log stalls first. */
export async function until(log: string, holds: () => Promise<boolean>): Promise<boolean> {
  const isStalled = watchLog(log)
  while (!(await retried(holds))) {
    if (isStalled()) return false
    await sleep(RETRY_MS)
  }
  return true
}

export async function startRuns(engine: LoadEngine, runs: Runs): Promise<void> {
  await forEach(idsOf(runs), (id) => engine.start(id, runs.kind))
}

/** Decides the runs that wait, and logs which decisions were accepted. */
export async function decideRuns(engine: LoadEngine, runs: Runs, decider: number, log: string): Promise<void> {
  await forEach(idsOf(runs), async (id, index) => {
    const type = TYPES[(index + decider) % TYPES.length] ?? 'approve'
    try {
      await engine.signal(id, 'approval-c1', DECISIONS[type])
      addLine(log, 'decided', id, type)
    } catch (cause) {
      const code = codeOf(cause)
      if (code !== 'already_decided' && code !== 'run_ended') throw cause
      addLine(log, 'refused', id, type, code)
    }
  })
}

/** Returns true if this many runs wait, and no others are active. */
export async function isIdle(engine: LoadEngine, waiting = 0): Promise<boolean> {
  // A Restate server may leave runs out in the first second after its start.
  for (let looks = 0; looks < 2; looks++) {
    if (looks > 0) await sleep(1000)
    const stats = await engine.stats()
    if (stats.queued + stats.running > 0 || stats.waiting !== waiting) return false
  }
  return true
}

/** Reads all pages of a list. */
export async function listAll(engine: LoadEngine, options: ListOptions = {}): Promise<readonly LoadStatus[]> {
  const all: LoadStatus[] = []
  for (;;) {
    const page = await retried(() => engine.list({ ...options, limit: PAGE, after: all.at(-1) }))
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

function codeOf(cause: unknown): unknown {
  return (cause as { readonly code?: unknown } | undefined)?.code
}
