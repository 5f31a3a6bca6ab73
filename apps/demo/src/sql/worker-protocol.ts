/** The messages between the database's worker thread and its client. */
import type { SqlRow, SqlValue } from './sql-client.ts'

/** Settings for the worker. */
export interface WorkerSettings {
  /** Path of the database, or `:memory:`. */
  readonly file: string
}

export type WorkerRequest =
  | { readonly id: number; readonly kind: 'query'; readonly sql: string; readonly params: readonly SqlValue[] }
  | { readonly id: number; readonly kind: 'close' }

/** Every query gets one reply with the same id. The reply to opening the database has the id 0. After `close`, the thread ends. */
export type WorkerReply =
  | { readonly id: number; readonly ok: true; readonly rows: readonly SqlRow[] }
  | { readonly id: number; readonly ok: false; readonly error: string }

/** The id of the worker's reply to opening the database. */
export const OPENING = 0
