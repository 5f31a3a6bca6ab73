/** The adapter of modules that were not given one. */
import type { Adapter } from './adapter.ts'
import { nativeAdapter } from './native.ts'

/** Under a registered symbol, so that two copies of this package have one default. */
const DEFAULT: unique symbol = Symbol.for('@x/adapters/default-adapter') as never
const shared = globalThis as { [DEFAULT]?: Adapter | undefined }

/** `nativeAdapter`, until `setDefaultAdapter` has chosen another one. */
export function defaultAdapter(): Adapter {
  return shared[DEFAULT] ?? nativeAdapter
}

/**
 * Chooses the adapter of this process for modules created from now on; undefined chooses `nativeAdapter` again. An `adapter` given
 * to a module goes before it. Throws a TypeError for what is no adapter.
 */
export function setDefaultAdapter(adapter: Adapter | undefined): void {
  const isAdapter = typeof adapter?.begin === 'function' && typeof adapter.parse === 'function'
  if (adapter !== undefined && !isAdapter)
    throw new TypeError('setDefaultAdapter: the argument is not an adapter. Pass one, such as chatAdapter, or undefined.')
  shared[DEFAULT] = adapter
}
