/** Waits until nothing more happens to a run by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoEngine, type DemoStatus, isStopped } from './run-data.ts'
import { unknownRun } from './unknown-run.ts'

const LOOK_EVERY_MS = 100

export interface FollowOptions {
  /** Rejects with its reason when it fires. */
  readonly signal: AbortSignal
  /** How the run stood when the worker was opened; it may go on from there, for `settleMs`. */
  readonly before?: DemoStatus | undefined
  readonly settleMs?: number | undefined
}

/** Resolves to how it waits or ended. */
export async function followRun(engine: DemoEngine, id: string, options: FollowOptions): Promise<DemoStatus> {
  const { signal, before, settleMs = 0 } = options
  const settled = performance.now() + settleMs
  for (;;) {
    signal.throwIfAborted()
    const status = await engine.status(id)
    if (status === undefined) throw await unknownRun(engine, id)
    const mayGoOn = status.state === 'waiting' && isSame(status, before) && performance.now() < settled
    if (isStopped(status) && !mayGoOn) return status
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

function isSame({ waitsFor }: DemoStatus, before: DemoStatus | undefined): boolean {
  return before !== undefined && JSON.stringify(waitsFor) === JSON.stringify(before.waitsFor)
}
