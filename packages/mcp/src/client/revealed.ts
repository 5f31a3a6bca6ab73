/** Makes hidden characters visible in strings that a server sends. */
import { revealHiddenCharacters } from '@x/registry'

/**
 * Makes hidden characters visible in descriptions and titles, which people read. In other strings, that would change the schema.
 */
export function revealed(value: unknown, key?: string): unknown {
  if (typeof value === 'string') return key !== undefined && SHOWN.has(key) ? revealHiddenCharacters(value) : value
  if (Array.isArray(value)) return value.map((item) => revealed(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revealed(member, name)]))
}

const SHOWN: ReadonlySet<string> = new Set(['description', 'title', 'enumNames'])
