/** Checks the health of an engine. */
import { DurableError } from '../errors.ts'
import type { EngineHealth } from './engine.ts'

/** Maximum duration of a check, in milliseconds. */
export const HEALTH_MS = 5000

/** Resolves to the outcome of a check, which rejects with the problem. A check that takes too long counts as failed. */
export async function toHealth(check: () => Promise<void>): Promise<EngineHealth> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${HEALTH_MS} ms`)), HEALTH_MS)
  })
  try {
    await Promise.race<void>([check(), late])
    return { ok: true }
  } catch (cause) {
    if (cause instanceof DurableError) return { ok: false, problem: cause }
    const message = cause instanceof Error ? cause.message : String(cause)
    return { ok: false, problem: new DurableError('engine_failed', `The storage doesn't answer: ${message}`, { cause }) }
  } finally {
    clearTimeout(timer)
  }
}

/** Throws `stalled` if a worker last looked for runs more than `limitMs` ago. `lookedAt` is a time of `performance.now`. */
export function assertLooking(lookedAt: number, limitMs: number): void {
  const ms = Math.round(performance.now() - lookedAt)
  if (ms <= limitMs) return
  throw new DurableError('stalled', `The worker hasn't looked for runs for ${ms} ms. Restart the process if this lasts.`)
}
