/** Waits until all pending microtasks, and the microtasks that they start, have run. */

/** Captured when the module loads, so that fake timers in a test don't block it. */
const { setImmediate: immediate } = globalThis as { readonly setImmediate?: (task: () => void) => unknown }

/** Resolves in the next macrotask. Browsers lack `setImmediate` and throttle timers, so a `MessageChannel` is used there. */
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
