/** Creates a registry. */
import type { EntryName, RegistryEntry } from './entries.ts'
import type { Registry } from './registry.ts'
import type { RegistryOptions } from './registry-options.ts'
import { ToolRegistry } from './tool-registry.ts'

/**
 * Creates a registry from tools, toolsets, factories and lazy ones of each. Nothing is imported, and nothing registers itself.
 * Throws `RegistryError` when two entries bring the same name, or names that differ only in case.
 */
export function createRegistry<const Entries extends readonly RegistryEntry[], ParentName extends string = never>(
  entries: Entries,
  options: RegistryOptions<ParentName> = {},
): Registry<EntryName<Entries[number]> | ParentName> {
  return new ToolRegistry(entries, options as RegistryOptions) as unknown as Registry<EntryName<Entries[number]> | ParentName>
}
