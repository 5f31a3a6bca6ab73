/** Waits until everything that is ready has run: all microtasks, and what they trigger. */

/** Taken when the module loads, so that a test's fake timers don't stop programs. */
const { setImmediate: immediate } = globalThis as { readonly setImmediate?: (task: () => void) => unknown }

/** Resolves in the next macrotask. Where `setImmediate` is missing, as in browsers, uses a message, because timers are throttled there. */
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
