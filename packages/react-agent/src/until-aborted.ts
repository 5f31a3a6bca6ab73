/** Waits for a promise until the caller aborts. */
import { onAbort } from '@x/tool-core'
import { ABORTED, AgentError } from './errors.ts'

/** Settles like `response`, or rejects with the signal's reason as soon as it fires. A late result is dropped. */
export function untilAborted<T>(response: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return response
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    const stopListening = onAbort(signal, giveUp)
    response.then(resolve, reject).finally(stopListening)
    if (signal.aborted) giveUp()
  })
}

/** Like `untilAborted`, but rejects with an `AgentError` after an abort. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await untilAborted(work, signal)
  } catch (cause) {
    throw signal?.aborted ? new AgentError('aborted', ABORTED, { cause }) : cause
  }
}
