/** A case of the contract suite, and helpers for cases. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableEngine } from '../engine/engine.ts'
import type { ContractHarness } from './harness.ts'

export interface Case {
  readonly name: string
  /** Timeout for a case that hangs, in milliseconds. Default: 600,000. */
  readonly timeoutMs?: number
  /** Returns true if the case applies to this engine. Default: always. */
  fits?(harness: ContractHarness): boolean
  run(harness: ContractHarness): Promise<string | void>
}

export function newStore(): string {
  return `s${randomUUID().replaceAll('-', '').slice(0, 12)}`
}

/** Waits until the condition holds. Rejects after five minutes with an error that shows the condition's source. */
export async function poll(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + POLL_TIMEOUT_MS; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error(`This condition did not hold within ${POLL_TIMEOUT_MS} ms: ${holds.toString()}`)
}

/** Waits until the run waits for a decision. Rejects at once if it has ended, or if its state contradicts its pending decisions. */
export async function pollWaiting(engine: Pick<DurableEngine<unknown, unknown>, 'status'>, id: string): Promise<void> {
  await poll(async () => {
    const { state = 'queued', waitsFor = [] } = (await engine.status(id)) ?? {}
    assert.doesNotMatch(state, /^(finished|failed|cancelled)$/, `The run "${id}" has ended instead of waiting for a decision.`)
    assert.equal(
      waitsFor.length > 0,
      state === 'waiting',
      `The run "${id}" is ${state} and has ${waitsFor.length} pending decisions.`,
    )
    return state === 'waiting'
  })
}

const POLL_TIMEOUT_MS = 300_000

/** Returns a function that generates reproducible random numbers from 0 up to, but not including, 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export function never(): never {
  throw new Error('This value must exist.')
}
