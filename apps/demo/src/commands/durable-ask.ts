/** Answers one request in a durable run, which waits for approvals and can be resumed by another process. */

import { DEFAULT_USER } from '../agent/session.ts'
import { toCommandLine } from '../durable/command-line.ts'
import { type DemoStatus, newRunId, type RunInput } from '../durable/run-data.ts'
import { showStop } from '../durable/show-runs.ts'
import { withWorker } from '../durable/worker.ts'
import type { WorkerSettings } from '../durable/worker-settings.ts'

export interface DurableAskOptions extends WorkerSettings {
  /** Id of the run. Default: generated. */
  readonly id?: string | undefined
  readonly input: Omit<RunInput, 'user'> & { readonly user?: string | undefined }
}

/** Starts the run. Resolves to true if the run is waiting for a decision, or has answered and its last call didn't fail. */
export async function runDurableAsk(options: DurableAskOptions): Promise<boolean> {
  const { kind, database, terminal, signal } = options
  const input: RunInput = { ...options.input, user: options.input.user ?? DEFAULT_USER }
  const { id = newRunId(input.request) } = options
  const toCommand = toCommandLine({ kind, database })
  return await withWorker(options, [input], async ({ engine, head, follow }) => {
    await engine.start(id, input)
    head(id, input.request)
    const showResume = () => terminal.line(terminal.paint('dim', `To resume the run: ${toCommand(`runs resume ${id}`)}`))
    signal.addEventListener('abort', showResume, { once: true })
    const status = await follow(id)
    showStop(terminal, status, toCommand)
    return isWell(status)
  })
}

/** Returns false for a failed run. A waiting run and a rejected call aren't failures. */
export function isWell({ state, output }: DemoStatus): boolean {
  const last = output?.calls.at(-1)
  return state === 'waiting' || (state === 'finished' && (last === undefined || last.ok || last.isRejected === true))
}
