/** The command line that goes on with the same runs: with the engine and the database of this one. */
import type { EngineKind } from './engine-kinds.ts'

export interface SameRuns {
  readonly kind: EngineKind
  readonly database?: string | undefined
}

/** The command line that does something with the same runs: `runs resume ID` with what else it needs. */
export type ToCommand = (words: string) => string

export function toCommandLine({ kind, database }: SameRuns): ToCommand {
  const options = [
    ...(kind === 'file' ? [] : [`--durable ${kind}`]),
    ...(database === undefined ? [] : [`--db ${quoted(database)}`]),
  ]
  return (words) => ['npm run demo --', words, ...options].join(' ')
}

/** As a shell takes it for one word. */
export function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
