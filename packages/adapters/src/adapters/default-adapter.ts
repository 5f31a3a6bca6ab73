/** The adapter for modules that are created without one. */
import type { Adapter } from './adapter.ts'
import { nativeAdapter } from './native.ts'

/** Stored under a globally registered symbol, so that two copies of this package share the default. */
const DEFAULT: unique symbol = Symbol.for('@x/adapters/default-adapter') as never
const shared = globalThis as { [DEFAULT]?: Adapter | undefined }

/** Returns `nativeAdapter`, or the adapter set by `setDefaultAdapter`. */
export function defaultAdapter(): Adapter {
  return shared[DEFAULT] ?? nativeAdapter
}

/**
 * Sets the default adapter of this process. It applies to modules created afterwards, unless they have an `adapter` of their own.
 * Pass `undefined` to reset it to `nativeAdapter`. Throws a TypeError if the argument isn't an adapter.
 */
export function setDefaultAdapter(adapter: Adapter | undefined): void {
  const isAdapter = typeof adapter?.begin === 'function' && typeof adapter.parse === 'function'
  if (adapter !== undefined && !isAdapter)
    throw new TypeError('setDefaultAdapter: the argument is not an adapter. Pass one, such as chatAdapter, or undefined.')
  shared[DEFAULT] = adapter
}
