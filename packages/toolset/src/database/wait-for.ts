/** Waits for a promise within the limits of one call. */
import { onAbort } from '@x/tool-core'
import { timerMs } from '../option.ts'
import { wasAborted } from './database-error.ts'

export interface WaitLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Waits for the work. Rejects with the error from `late()` after the timeout, or with `aborted` on an abort. The work itself continues. */
export async function waitFor<Value>(work: Promise<Value>, { timeoutMs, signal }: WaitLimits, late: () => Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopListening: (() => void) | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timerMs(timeoutMs))
    stopListening = signal && onAbort(signal, () => reject(wasAborted(signal)))
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    stopListening?.()
  }
}
