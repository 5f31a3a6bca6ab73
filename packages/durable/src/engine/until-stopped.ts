/** Waits until a run needs a decision or has ended. Works with any engine. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableEngine, RunStatus, WaitOptions } from './engine.ts'
import { unknownRun } from './run-errors.ts'

const LOOK_EVERY_MS = 100

/**
 * Resolves to a run's status once the run waits for decisions or has ended. Reads the status every 100 ms. Rejects with
 * `unknown_run`, with the signal's reason, or like `status`.
 */
export async function untilStopped<Input, Output>(
  engine: Pick<DurableEngine<Input, Output>, 'status'>,
  id: string,
  { signal }: WaitOptions = {},
): Promise<RunStatus<Input, Output>> {
  for (;;) {
    signal?.throwIfAborted()
    const status = await engine.status(id)
    if (status === undefined) throw unknownRun(id)
    if (status.state !== 'queued' && status.state !== 'running') return status
    // If the signal is aborted, the loop continues and throws the signal's reason.
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}
