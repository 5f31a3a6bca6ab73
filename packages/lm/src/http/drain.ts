/** Lets the connection of a reply that is over serve the next request. */

/** Reads to the end of the body, without anybody waiting: a connection whose body is not read to its end is closed. Never throws. */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => {})
  const timer: { unref?(): unknown } | number = setTimeout(cancel, LONGEST_MS)
  // In Node it is an object, and must not keep the process alive.
  if (typeof timer === 'object') timer.unref?.()
  try {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if ((await reader.read()).done) return
  } catch {
    // How the connection of a complete reply ends does not matter.
  } finally {
    clearTimeout(timer as number)
    cancel()
  }
}

const LONGEST_MS = 1000
/** A body without an end would otherwise be read as fast as it comes. */
const MOST_PIECES = 64
