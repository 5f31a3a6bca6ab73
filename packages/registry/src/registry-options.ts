/** What a registry can be told when it is created. */
import type { NamedResolver } from './place.ts'
import type { Registry } from './registry.ts'
import type { ResolveEvent } from './resolution.ts'

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
