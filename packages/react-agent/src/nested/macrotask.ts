/** Waits until everything that is ready to run has run: all microtasks, and what they set off. */

/** Taken when the module loads, so that fake timers of a test don't stop programs. */
const { setImmediate: immediate } = globalThis as { readonly setImmediate?: (task: () => void) => unknown }

/** Resolves in the next macrotask. Without `setImmediate`, as in browsers, by a message: timers are throttled there. */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate !== undefined) return void immediate(resolve)
    const { port1, port2 } = new MessageChannel()
    const receive = () => {
      port1.close()
      resolve()
    }
    Object.assign(port1, { onmessage: receive })
    port2.postMessage(null)
  })
}
