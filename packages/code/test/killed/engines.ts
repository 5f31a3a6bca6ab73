/** The engines that run the program, for worker processes and for the test that starts them. */
import { createFileEngine, type DurableEngine, type RunFunction } from '@x/durable'
import { createDbosEngine } from '@x/durable/dbos'
import { createRestateEngine } from '@x/durable/restate'

export type Place =
  | { readonly engine: 'files'; readonly folder: string }
  | { readonly engine: 'dbos'; readonly databaseUrl: string }
  | { readonly engine: 'restate'; readonly ingressUrl: string; readonly adminUrl: string; readonly uri: string }

/** The outcome of a run of the program. */
export interface Outcome {
  /** What the model read. */
  readonly text: string
  /** Number of calls whose outcome is unknown. */
  readonly unknown: number
}

/** Passed to a worker process as text. */
export interface WorkerSettings {
  readonly place: Place
  /** File with a line for each effect. */
  readonly effects: string
  /** The note at which the process kills itself. 0: it doesn't. */
  readonly killAt: number
  /** Port of the worker. Only Restate needs it. */
  readonly port?: number | undefined
}

export function openEngine(place: Place, fn?: RunFunction<null, Outcome>, port?: number): Promise<DurableEngine<null, Outcome>> {
  if (place.engine === 'files') return createFileEngine({ folder: place.folder, fn, fsync: false, lookEveryMs: 50 })
  if (place.engine === 'dbos')
    return createDbosEngine({ name: 'code', databaseUrl: place.databaseUrl, fn, sweepMs: 300, leaseMs: 60_000 })
  const { ingressUrl, adminUrl, uri } = place
  return createRestateEngine({ name: 'code', ingressUrl, adminUrl, uri, fn, port })
}
