/** The list of domains: names known now, each imported when it is asked for. */
import type { Domain } from './domain.ts'

export interface DomainEntry {
  readonly name: string
  readonly title: string
  load(): Promise<{ readonly default: Domain }>
}

export const DOMAINS: readonly DomainEntry[] = [
  { name: 'treasure_hunt', title: 'Treasure hunt', load: () => import('./treasure-hunt/index.ts') },
  { name: 'ecommerce', title: 'Online shop', load: () => import('./ecommerce/index.ts') },
  { name: 'finance', title: 'Bank accounts', load: () => import('./finance/index.ts') },
  { name: 'events', title: 'Events', load: () => import('./events/index.ts') },
  { name: 'productivity', title: 'Reminders', load: () => import('./productivity/index.ts') },
  { name: 'language', title: 'Languages', load: () => import('./language/index.ts') },
  { name: 'memory', title: 'Memory', load: () => import('./memory/index.ts') },
]

/** Imports one domain. Rejects with the same four-section error as a tool whose module is missing. */
export async function loadDomain({ name, load }: DomainEntry): Promise<Domain> {
  try {
    return (await load()).default
  } catch (cause) {
    const { ToolResolutionError } = await import('@x/registry')
    const detail = `Its module threw: ${cause instanceof Error ? cause.message : String(cause)}`
    const searched = [`Domains of the demo: ${DOMAINS.map((entry) => entry.name).join(', ')}`]
    throw new ToolResolutionError([{ code: 'load_failed', identifier: name, searched, suggestions: [], detail, cause }])
  }
}
