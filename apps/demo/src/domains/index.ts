/** The list of domains. Each one is imported only when it is needed. */
import type { DomainEntry } from './domain.ts'

export const DOMAINS: readonly DomainEntry[] = [
  { name: 'treasure_hunt', title: 'Treasure hunt', load: () => import('./treasure-hunt/index.ts') },
  { name: 'ecommerce', title: 'Online shop', load: () => import('./ecommerce/index.ts') },
  { name: 'finance', title: 'Bank accounts', load: () => import('./finance/index.ts') },
  { name: 'events', title: 'Events', load: () => import('./events/index.ts') },
  { name: 'productivity', title: 'Reminders', load: () => import('./productivity/index.ts') },
  { name: 'language', title: 'Languages', load: () => import('./language/index.ts') },
  { name: 'memory', title: 'Memory', load: () => import('./memory/index.ts') },
]
