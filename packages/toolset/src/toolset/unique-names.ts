/** No two tools of a source under one name; names that differ only in case are one, as they are for some providers. */
import type { Tool } from '@x/tool-core'

/** Tools that would have one name. */
export interface NameClash<Entry> {
  readonly first: Entry
  readonly second: Entry
}

/** The first two entries whose tools have one name, unless they are one and the same tool. */
export function findClash<Entry extends { readonly tool: Tool }>(entries: readonly Entry[]): NameClash<Entry> | undefined {
  const known = new Map<string, Entry>()
  for (const second of entries) {
    const key = second.tool.name.toLowerCase()
    const first = known.get(key)
    if (first === undefined) known.set(key, second)
    else if (first.tool !== second.tool) return { first, second }
  }
  return undefined
}
