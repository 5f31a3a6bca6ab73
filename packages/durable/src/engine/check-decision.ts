/** Rejects decisions that the waiting run couldn't use, so that it keeps waiting instead of failing. */
import { assertDecision, isPendingCall } from '@x/react-agent/steps'
import { DurableError } from '../errors.ts'
import type { WaitsFor } from './engine.ts'

/** Throws `invalid_value` for an invalid decision about an agent's call. Other decisions may be any value. */
export function checkDecision(name: string, value: unknown, waitsFor: readonly WaitsFor[]): void {
  const about = waitsFor.find((wait) => wait.name === name)?.about
  if (!isPendingCall(about)) return
  try {
    assertDecision(value, about)
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new DurableError(
      'invalid_value',
      `The decision for ${JSON.stringify(name)} was refused, and the run is still waiting. ${words}`,
      {
        cause,
      },
    )
  }
}
