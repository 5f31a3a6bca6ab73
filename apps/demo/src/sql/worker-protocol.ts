/** What the database's worker thread and its client say to each other. */
import type { SqlRow, SqlValue } from './sql-client.ts'

/** Given to the worker when it starts. */
export interface WorkerSettings {
  /** Path of the database, or `:memory:`. */
  readonly file: string
}

export type WorkerRequest =
  | { readonly id: number; readonly kind: 'query'; readonly sql: string; readonly params: readonly SqlValue[] }
  | { readonly id: number; readonly kind: 'close' }

/** Every query gets one reply with its id; opening the database is answered as request 0, closing it by the end of the thread. */
export type WorkerReply =
  | { readonly id: number; readonly ok: true; readonly rows: readonly SqlRow[] }
  | { readonly id: number; readonly ok: false; readonly error: string }

/** The id under which the worker says that the database is open, or why not. */
export const OPENING = 0
