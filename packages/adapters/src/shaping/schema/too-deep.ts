/** Checks whether a schema is nested too deeply, or is too large, to be traversed. */
import { MAX_DEPTH } from '@x/tool-core'

/**
 * Maximum number of objects. A shared object counts each time, because inlining copies it. The number of copies can double at
 * every level.
 */
const MAX_OBJECTS = 1_000_000

/** Searches depth first, which quickly finds a schema that contains itself. */
export function isTooDeep(root: object): boolean {
  let objects = 0
  const stack: { readonly value: object; readonly depth: number }[] = [{ value: root, depth: 1 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.depth > MAX_DEPTH || ++objects > MAX_OBJECTS) return true
    for (const value of Object.values(top.value)) {
      if (typeof value === 'object' && value !== null) stack.push({ value, depth: top.depth + 1 })
    }
  }
  return false
}
