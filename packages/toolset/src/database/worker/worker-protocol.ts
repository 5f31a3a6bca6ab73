/** Messages between a database's worker thread and its client. */
import type { DatabaseReason } from '../database-error.ts'
import type { SqlValue } from '../sql-client.ts'

export interface WorkerRequest {
  readonly kind: 'run' | 'close'
  readonly [field: string]: unknown
}

/** A complete request to the worker to run one statement. */
export interface RunRequest extends WorkerRequest {
  readonly id: number
  readonly sql: string
  /** The parameters for SQLite, by name or by position. PostgreSQL uses `values` instead, as text. */
  readonly params: Record<string, never> | never[]
  readonly values: (string | null)[]
  readonly readOnly: boolean
  readonly isExplained?: boolean | undefined
  readonly maxRows: number
  readonly maxBytes: number
  /** The SQL that begins and ends the transaction, and cleans up after it. */
  readonly begin: string
  readonly end: string
  readonly clean: string
}

/** The worker's answer to a request. `isSpent` means that another thread must replace this one. */
export type WorkerReply =
  | { readonly id: number; readonly ok: true; readonly result?: WorkerResult | undefined; readonly isSpent?: boolean | undefined }
  | { readonly id: number; readonly ok: false; readonly failure: WorkerFailure; readonly isSpent?: boolean | undefined }

export interface WorkerFailure {
  /** The reason of the failure. Undefined if `code` determines it. */
  readonly reason?: DatabaseReason | undefined
  readonly code?: string | undefined
  /** The database's own message, before cleaning. */
  readonly words: string
}

export interface WorkerResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  readonly truncated: boolean
  readonly changes?: number | undefined
  /** PostgreSQL's command tag. */
  readonly command?: string | undefined
  /** Number of rows that PostgreSQL returned, even if they weren't kept. */
  readonly returned?: number | undefined
  /** PostgreSQL's type id of each column. */
  readonly types?: readonly number[] | undefined
}

/** Id of the reply that reports whether opening the database succeeded. */
export const OPENING = 0
