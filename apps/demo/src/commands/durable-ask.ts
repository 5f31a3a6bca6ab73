/** One request as a durable run: what needs a yes makes it wait, and another process may go on with it. */
import { toCommandLine } from '../durable/command-line.ts'
import type { EngineKind } from '../durable/engine-kinds.ts'
import type { DemoStatus, RunInput } from '../durable/run-data.ts'
import { newRunId } from '../durable/run-id.ts'
import { withWorker } from '../durable/worker.ts'
import { keptPlace, runsFolder } from '../places.ts'
import { DEFAULT_USER } from '../session.ts'
import { isKept } from '../sql/place.ts'
import { UsageError } from '../usage-error.ts'
import { showStop } from '../view/durable-runs.ts'
import type { Terminal } from '../view/terminal.ts'

export interface DurableAskOptions {
  readonly kind: EngineKind
  /** One is made unless told. */
  readonly id?: string | undefined
  readonly input: Omit<RunInput, 'user'> & { readonly user?: string | undefined }
  /** Where shop and bank are kept. */
  readonly database?: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/** Resolves to whether the run waits, or has come to an answer and not past a last call that failed. */
export async function runDurableAsk(options: DurableAskOptions): Promise<boolean> {
  const { kind, database, terminal, signal, environment = process.env } = options
  const input: RunInput = { ...options.input, user: options.input.user ?? DEFAULT_USER }
  const { id = newRunId(input.request) } = options
  const place = keptPlace(database, environment)
  if (!isKept(place)) throw new UsageError('A durable run needs a database that is kept: name a file by --db, or none.')
  const toCommand = toCommandLine({ kind, database })
  const folder = runsFolder(database, environment)
  return await withWorker({ kind, folder, place, terminal, signal, environment }, [input], async ({ engine, head, follow }) => {
    await engine.start(id, input)
    head(id, input.request)
    signal.addEventListener('abort', () =>
      terminal.line(terminal.paint('dim', `It goes on by: ${toCommand(`runs resume ${id}`)}`)),
    )
    const status = await follow(id)
    showStop(terminal, status, toCommand)
    return isWell(status)
  })
}

/** A run that waits is no failure, and neither is a call to which somebody said no. */
export function isWell({ state, output }: DemoStatus): boolean {
  const last = output?.calls.at(-1)
  return state === 'waiting' || (state === 'finished' && (last === undefined || last.ok || last.isRejected === true))
}
