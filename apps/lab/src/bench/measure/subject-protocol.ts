/** The messages between parent and child. The parent sends one request at a time. */
import type { Sample } from '../bench.ts'

export type Question =
  /** Prepares the workload: opens it, verifies that it does its work, and warms it up in pieces of this length. */
  | { readonly type: 'open'; readonly warmUpMs: number }
  /** Repeats the workload for at least this long. */
  | { readonly type: 'measure'; readonly batchMs: number }

export type Answer = { readonly sample: Sample } | { readonly error: string }
