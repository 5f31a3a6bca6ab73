/** The contract of a suite: a folder of cases in, counts and failures out. */

export interface Suite {
  readonly name: string
  /** Its folder of the corpora, when none is given. */
  readonly folder: string
  /** Rejects with {@link CorpusError} when the folder holds no case that can be read. */
  run(corpus: string): Promise<SuiteResult>
}

export interface SuiteResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly metrics: Readonly<Record<string, unknown>>
  readonly failures: readonly Failure[]
  /** The metrics as a table for people. */
  readonly rows: readonly Row[]
}

export interface Failure {
  readonly id: string
  readonly why: string
}

export type Row = Readonly<Record<string, string | number>>

/** A corpus that is not there or cannot be read: nothing was measured. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError'
}

export function noCase(kind: string, where: string): CorpusError {
  return new CorpusError(`No ${kind} case in ${where}. Give another folder by --corpus, or set X_CORPORA to that of all corpora.`)
}
