/** Follows a run until it waits or ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoEngine, type DemoStatus, isStopped } from './run-data.ts'
import { unknownRun } from './unknown-run.ts'

const LOOK_EVERY_MS = 100

export interface FollowOptions {
  /** When it aborts, the promise rejects with its reason. */
  readonly signal: AbortSignal
}

/** Resolves to the run's status once it waits or ends. */
export async function followRun(engine: DemoEngine, id: string, { signal }: FollowOptions): Promise<DemoStatus> {
  for (;;) {
    signal.throwIfAborted()
    const status = await engine.status(id)
    if (status === undefined) throw await unknownRun(engine, id)
    if (isStopped(status)) return status
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
