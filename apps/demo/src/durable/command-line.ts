/** Builds command lines that use the same engine and database. */
import type { EngineKind } from './engine.ts'

export interface SameRuns {
  readonly kind: EngineKind
  readonly database?: string | undefined
}

/** Completes words such as `runs resume ID` to a command line, with the options for the same engine and database. */
export type ToCommand = (words: string) => string

export function toCommandLine({ kind, database }: SameRuns): ToCommand {
  const options = [
    ...(kind === 'file' ? [] : [`--durable ${kind}`]),
    ...(database === undefined ? [] : [`--db ${quoted(database)}`]),
  ]
  return (words) => ['npm run demo --', words, ...options].join(' ')
}

/** Quotes a string as one shell argument. */
export function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
