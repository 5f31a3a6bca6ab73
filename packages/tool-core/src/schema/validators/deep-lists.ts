/**
 * Finds deeply nested lists in a schema. When AJV looks for references, it reads each list twice: once on its own and once as a part of its
 * parent. As a result, it reads the content of `n` nested lists 1.6^n times.
 */

const FEW_LISTS = 8

/** Returns the parts of a schema that contain deeply nested lists, even lists that are data. */
export function partsWithDeepLists(schema: object): ReadonlySet<object> {
  const depths = new Map<object, number>()
  const depthOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    const known = depths.get(value)
    if (known !== undefined) return known
    let depth = 0
    for (const member of Object.values(value)) depth = Math.max(depth, depthOf(member))
    if (Array.isArray(value)) depth++
    depths.set(value, depth)
    return depth
  }
  if (depthOf(schema) <= FEW_LISTS) return NO_PARTS
  return new Set([...depths].filter(([, depth]) => depth > FEW_LISTS).map(([part]) => part))
}

const NO_PARTS: ReadonlySet<object> = new Set()

/**
 * A keyword to insert in front of deeply nested lists. AJV then takes that part of the schema for one with references and doesn't read the
 * lists. With the value `false`, the keyword has no other effect.
 */
export const SEEMS_TO_REFER = { $recursiveAnchor: false }
