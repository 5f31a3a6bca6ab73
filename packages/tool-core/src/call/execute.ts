/** Runs the implementation, and retries it while the error is retryable. */

import { ownCopy } from '../args/own-copy.ts'
import type { Tool } from '../define/tool.ts'
import { isRepeatable } from '../define/traits.ts'
import { isToolError } from '../errors.ts'
import { attempt, type Invocation } from './attempt.ts'
import { onAbort } from './deadline.ts'
import { isRetryable } from './failure.ts'

/** Returns the tool's output, synchronously or as a promise. Throws or rejects with the tool's error, `timeout` or `aborted`. */
export function execute(invocation: Invocation, args: object): unknown {
  return invocation.tool.maxRetries ? executeAgain(invocation, args, invocation.tool.maxRetries) : executeOnce(invocation, args)
}

function executeOnce(invocation: Invocation, args: object): unknown {
  const { tool, options } = invocation
  // The host of nested calls has its own deadline, which is suspended while a person decides.
  const timeoutMs = options.nested === undefined ? undefined : Number.POSITIVE_INFINITY
  return attempt(invocation, `"${tool.name}"`, (context) => tool.execute(args, context), timeoutMs)
}

async function executeAgain(invocation: Invocation, args: object, retries: number): Promise<unknown> {
  const { signal } = invocation.options
  for (let retry = 0; ; retry++) {
    try {
      // A copy, because a tool may change its arguments, and a retry needs the original ones.
      return await executeOnce(invocation, retry === retries ? args : ownCopy(args))
    } catch (error) {
      if (retry === retries || !mayRepeat(invocation.tool, error) || signal?.aborted) throw error
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry), signal)
      if (signal?.aborted) throw error
    }
  }
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Waits before a retry. An abort ends the wait. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopListening?.()
      resolve()
    }
    const timer = setTimeout(end, ms)
    const stopListening = signal && onAbort(signal, end)
  })
}

/**
 * True if the error allows a retry. After a timeout, it's unknown whether the call took effect, so only a `read` or `idempotent` tool is
 * retried.
 */
function mayRepeat({ effect }: Tool, error: unknown): boolean {
  if (isToolError(error) && error.code === 'timeout') return isRepeatable(effect)
  return isRetryable(error)
}
