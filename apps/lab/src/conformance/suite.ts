/** The contract for a suite, which reads a directory of cases and returns counts and failures. */

export interface Suite {
  readonly name: string
  /** Default directory in the corpora. */
  readonly folder: string
  /** Rejects with {@link CorpusError} if the directory contains no readable case. */
  run(corpus: string): Promise<SuiteResult>
}

export interface SuiteResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly metrics: Readonly<Record<string, unknown>>
  readonly failures: readonly Failure[]
  /** The metrics as rows of a table. */
  readonly rows: readonly Row[]
}

export interface Failure {
  readonly id: string
  readonly why: string
}

export type Row = Readonly<Record<string, string | number>>

/** Thrown if the corpus is missing or unreadable, so that nothing could be measured. */
export class CorpusError extends Error {
  override readonly name = 'CorpusError'
}

export function noCase(kind: string, where: string): CorpusError {
  return new CorpusError(
    `There is no ${kind} case in ${where}. Pass another directory with --corpus, or set X_CORPORA to the directory that contains all corpora.`,
  )
}
