/** The command line that goes on with the same runs: with the engine and the database of this one. */
import type { EngineKind } from './engine-kinds.ts'

export interface SameRuns {
  readonly kind: EngineKind
  readonly database?: string | undefined
}

export function toCommandLine({ kind, database }: SameRuns): (words: string) => string {
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
