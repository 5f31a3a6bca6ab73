/** What cases are made of. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContractHarness } from './harness.ts'

export interface Case {
  readonly name: string
  /** Half a minute unless told. */
  readonly timeoutMs?: number
  /** Whether it says something of this engine. */
  fits?(harness: ContractHarness): boolean
  run(harness: ContractHarness): Promise<string | void>
}

export function newStore(): string {
  return `s${randomUUID().replaceAll('-', '').slice(0, 12)}`
}

/** Rejects after a while, so that a case says what did not come. */
export async function poll(holds: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error(`This did not come true within ${timeoutMs} ms: ${holds.toString()}`)
}

export function never(): never {
  throw new Error('There is none.')
}
