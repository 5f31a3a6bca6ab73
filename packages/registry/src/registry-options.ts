/** The options of `createRegistry`. */
import type { NamedTools } from './entries.ts'
import { kindOf, RegistryError } from './errors.ts'
import type { Registry } from './registry-types.ts'
import type { NamedResolver } from './resolve/place.ts'
import type { ResolveEvent } from './resolve/resolution.ts'

export interface RegistryOptions<ParentTools extends NamedTools = NamedTools> {
  /** The registry's name in error messages. Default: "registry". */
  name?: string | undefined
  /** Timeout for a loader, and for a source that has no `loadTimeoutMs`, in milliseconds. Default: 10,000. */
  loadTimeoutMs?: number | undefined
  /** Resolvers for names that the registry's own list doesn't contain. They are called in order, so put your own before a framework's. */
  resolvers?: readonly NamedResolver[] | undefined
  /**
   * Registry to search last. Its names are also names of this registry, but this registry's own entries take precedence. If an own name and
   * a parent's name differ only in case, each is found only by its exact spelling. Any other spelling matches neither.
   */
  parent?: Registry<ParentTools> | undefined
  /** Called after every import, with the duration of the import. */
  onResolve?: ((event: ResolveEvent) => void) | undefined
}

/** Throws `invalid_entry` for an invalid option. */
export function assertRegistryOptions(options: RegistryOptions): void {
  if (typeof options !== 'object' || options === null)
    throw wrong(`the options must be an object, got ${kindOf(options)}. Write createRegistry([tool], { name: 'app' })`)
  const { loadTimeoutMs = 0, resolvers = [] } = options
  if (!(typeof loadTimeoutMs === 'number' && loadTimeoutMs >= 0))
    throw wrong(`loadTimeoutMs must be a number of milliseconds, got ${String(loadTimeoutMs)}`)
  if (!Array.isArray(resolvers))
    throw wrong(`resolvers must be an array, got ${kindOf(resolvers)}. Write { resolvers: [resolver] }`)
}

function wrong(words: string): RegistryError {
  return new RegistryError('invalid_entry', `createRegistry: ${words}.`)
}
