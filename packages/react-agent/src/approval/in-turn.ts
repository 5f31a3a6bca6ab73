/** Asks about one call at a time, because a person usually answers. Calls that run in parallel wait for each other. */
import { untilAborted } from '../until-aborted.ts'
import type { Approve, AskedCall } from './decision.ts'

/** Resolves to what `approve` returns. Rejects if the signal has fired when it is the call's turn, and when it fires after that. */
export type Ask = (call: AskedCall, signal: AbortSignal | undefined) => Promise<unknown>

/** Returns a function that calls `approve` after all earlier calls have been decided. */
export function inTurn(approve: Approve): Ask {
  let last: Promise<unknown> | undefined
  return (call, signal) => {
    last = askAfter(last, () => approve(call), signal)
    return last
  }
}

async function askAfter(
  earlier: Promise<unknown> | undefined,
  ask: () => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    await earlier
  } catch {
    // Its caller gets the error.
  }
  // The call may have been aborted while another one was decided.
  signal?.throwIfAborted()
  return await untilAborted((async () => ask())(), signal)
}
