/** What JSON.parse lets through and nobody should work with: depth and size without end, and keys that reach prototypes. */

export const MAX_DEPTH = 512
/** Objects, lists and scalars of one value, together. */
export const MAX_VALUES = 1_000_000
/** Characters of the texts and keys of one value, together. */
export const MAX_CHARACTERS = 16 * 1024 * 1024

export interface Fault {
  readonly code: 'too_deep' | 'forbidden_key'
  /** Reads on from a subject in the plural: `are nested deeper than 512 levels`. */
  readonly words: string
}

/** The first fault of a parsed JSON value; walks with a stack of its own, because recursion overflows. */
export function findFault(root: unknown, maxDepth: number): Fault | undefined {
  const stack: { readonly node: unknown; readonly depth: number }[] = [{ node: root, depth: 1 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, depth } = top
    if (typeof node !== 'object' || node === null) continue
    if (depth > maxDepth) return { code: 'too_deep', words: `are nested deeper than ${maxDepth} levels` }
    const key = forbiddenKeyOf(node)
    if (key !== undefined) return { code: 'forbidden_key', words: `hold the key "${key}", which is not allowed` }
    for (const child of Object.values(node)) stack.push({ node: child, depth: depth + 1 })
  }
  return undefined
}

/** The key of a node that reaches a prototype when code merges values by their keys. */
export function forbiddenKeyOf(node: object): string | undefined {
  if (Object.hasOwn(node, '__proto__')) return '__proto__'
  if (!Object.hasOwn(node, 'constructor')) return undefined
  const value: unknown = node.constructor
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype') ? 'constructor.prototype' : undefined
}
