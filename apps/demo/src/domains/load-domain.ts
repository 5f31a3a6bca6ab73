/** Imports the module of a domain. */
import type { Domain, DomainEntry } from './domain.ts'

/** Imports the domain. Rejects with `ToolResolutionError` if its module can't be imported. */
export async function loadDomain({ name, load }: DomainEntry): Promise<Domain> {
  try {
    return (await load()).default
  } catch (cause) {
    const { ToolResolutionError } = await import('@x/registry')
    const detail = `Its module threw: ${cause instanceof Error ? cause.message : String(cause)}`
    const searched = [`The module of the domain "${name}"`]
    throw new ToolResolutionError([{ code: 'load_failed', identifier: name, searched, suggestions: [], detail, cause }])
  }
}
