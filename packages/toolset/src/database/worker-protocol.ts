/** What a database's worker thread and its client say to each other. */
import type { DatabaseReason } from './database-error.ts'
import type { SqlValue } from './sql-client.ts'

export interface WorkerRequest {
  readonly kind: 'run' | 'close'
  readonly [field: string]: unknown
}

/** A request as a worker reads it: what is needed to run one statement. */
export interface RunRequest extends WorkerRequest {
  readonly id: number
  readonly sql: string
  /** By name or place for SQLite, as text for PostgreSQL. */
  readonly params: Record<string, never> | never[]
  readonly values: (string | null)[]
  readonly readOnly: boolean
  readonly isExplained?: boolean | undefined
  readonly maxRows: number
  readonly maxBytes: number
  /** The words around the statement: what begins, ends and cleans. */
  readonly begin: string
  readonly end: string
  readonly clean: string
}

/** `isSpent` when the thread has done its work and another one is to take over. */
export type WorkerReply =
  | { readonly id: number; readonly ok: true; readonly result?: WorkerResult | undefined; readonly isSpent?: boolean | undefined }
  | { readonly id: number; readonly ok: false; readonly failure: WorkerFailure; readonly isSpent?: boolean | undefined }

export interface WorkerFailure {
  /** Missing where the database's code tells. */
  readonly reason?: DatabaseReason | undefined
  readonly code?: string | undefined
  /** What the database said; not cleaned. */
  readonly words: string
}

export interface WorkerResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  readonly truncated: boolean
  readonly changes?: number | undefined
  /** What PostgreSQL says that it did. */
  readonly command?: string | undefined
  /** Rows that PostgreSQL gave, also those that were not kept. */
  readonly returned?: number | undefined
  /** PostgreSQL's number of each column's type. */
  readonly types?: readonly number[] | undefined
}

/** The id under which the worker says that the database is open, or why not. */
export const OPENING = 0
