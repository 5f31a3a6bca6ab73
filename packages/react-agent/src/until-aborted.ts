/** Waits for something for as long as the caller wants it. */
import { onAbort } from '@x/tool-core'

/** Who does not listen to the signal is left behind; what comes later is dropped. */
export function untilAborted<T>(response: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return response
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    const stopListening = onAbort(signal, giveUp)
    response.then(resolve, reject).finally(stopListening)
    if (signal.aborted) giveUp()
  })
}
