/** What the agents of a load test do. */
export type Death = 'sigkill' | 'memory' | 'exit'

/** The tools that the model calls, one in each turn. The turn after the last one ends the run. */
export const SCRIPTS = {
  mixed: ['read', 'read', 'write', 'read', 'idempotent'],
  approval: ['pay'],
  /** A run of 60 turns. */
  long: Array.from({ length: 59 }, () => 'read'),
  /** A run whose model is as slow as a real one. It ends sooner when the file of `stopFile` exists. */
  slow: Array.from({ length: 99 }, () => 'read'),
  sigkill: ['read', 'sigkill'],
  memory: ['read', 'memory'],
  exit: ['read', 'exit'],
} as const satisfies Readonly<Record<Death | 'mixed' | 'approval' | 'long' | 'slow', readonly string[]>>

export type Kind = keyof typeof SCRIPTS

export interface LoadOutput {
  readonly answer: string
  /** Ids of the calls with an unknown outcome. */
  readonly unknown: readonly string[]
}

export const MIXED_CALLS = SCRIPTS.mixed.map((tool, index) => ({ id: callId(index), tool }))
/** The amount of each payment, and the amount after an edit. */
export const AMOUNT = 100
export const EDITED = 50

/** The file that ends the slow runs. */
export function stopFile(log: string): string {
  return `${log}-stop`
}

export function callId(index: number): string {
  return `c${index + 1}`
}
