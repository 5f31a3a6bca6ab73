/** Makes the connection of a finished reply available to the next request. */

/** Reads the rest of the body in the background, because a connection with an unread body is closed. Never throws. */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => {})
  const timer: { unref?(): unknown } | number = setTimeout(cancel, LONGEST_MS)
  // In Node, the timer is an object that must not keep the process alive.
  if (typeof timer === 'object') timer.unref?.()
  try {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if ((await reader.read()).done) return
  } catch {
    // How the connection of a complete reply ends doesn't matter.
  } finally {
    clearTimeout(timer as number)
    cancel()
  }
}

const LONGEST_MS = 1000
/** Otherwise an endless body would be read as fast as it arrives. */
const MOST_PIECES = 64
