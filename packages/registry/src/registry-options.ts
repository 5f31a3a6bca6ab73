/** What a registry can be told when it is created. */
import { RegistryError } from './errors.ts'
import type { Registry } from './registry.ts'
import type { NamedResolver } from './resolve/place.ts'
import type { ResolveEvent } from './resolve/resolution.ts'

export interface RegistryOptions<ParentName extends string = string> {
  /** Shown in errors as the place that was searched. */
  name?: string | undefined
  /** How long one loader may take, in milliseconds; 10,000 unless told. */
  loadTimeoutMs?: number | undefined
  /** Asked in their order for what the registry's own list does not hold: yours before those of a framework. */
  resolvers?: readonly NamedResolver[] | undefined
  /**
   * Searched last. Its names are names of this registry, and an own entry of the same name comes before them. Names that differ in
   * case are two, each found as it is written; what a model writes in a third way is then neither.
   */
  parent?: Registry<ParentName> | undefined
  /** Told of every import, with what the registry added to it. */
  onResolve?: ((event: ResolveEvent) => void) | undefined
}

/** Throws `invalid_entry`, with what to write. */
export function assertRegistryOptions(options: RegistryOptions): void {
  if (typeof options !== 'object' || options === null)
    throw wrong("the options are no object. Write createRegistry([tool], { name: 'app' })")
  const { loadTimeoutMs = 0, resolvers = [] } = options
  if (!(typeof loadTimeoutMs === 'number' && loadTimeoutMs >= 0))
    throw wrong(`loadTimeoutMs must be a number of milliseconds, got ${String(loadTimeoutMs)}`)
  if (!Array.isArray(resolvers)) throw wrong('resolvers must be a list: { resolvers: [resolver] }')
}

function wrong(words: string): RegistryError {
  return new RegistryError('invalid_entry', `createRegistry: ${words}.`)
}
