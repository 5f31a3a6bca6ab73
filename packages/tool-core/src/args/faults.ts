/** What JSON.parse lets through and nobody should work with: depth and size without end, and keys that reach prototypes. */

export const MAX_DEPTH = 512
/** Objects, lists and scalars of one value, together. */
export const MAX_VALUES = 1_000_000
/** Characters of the texts and keys of one value, together. */
export const MAX_CHARACTERS = 16 * 1024 * 1024
/** What `boundOutput` needs to keep all of them. */
export const MAX_ARGS_LENGTH = MAX_VALUES + MAX_CHARACTERS

export interface Fault {
  readonly code: 'too_deep' | 'too_large' | 'forbidden_key'
  /** Reads on from a subject in the plural: `are nested deeper than 512 levels`. */
  readonly words: string
}

/**
 * The first fault of a parsed JSON value, level by level; without recursion, which overflows. `onUnsafeNumber` is called for each
 * number beyond the safe integers, which saves another pass.
 */
export function findFault(
  root: unknown,
  maxDepth: number,
  maxKeys = Number.POSITIVE_INFINITY,
  onUnsafeNumber?: () => void,
): Fault | undefined {
  let level: object[] = []
  if (isNode(root)) level.push(root)
  else if (isUnsafe(root)) onUnsafeNumber?.()
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return { code: 'too_deep', words: `are nested deeper than ${maxDepth} levels` }
    const next: object[] = []
    for (const node of level) {
      if (Array.isArray(node)) {
        for (const item of node) {
          if (isNode(item)) next.push(item)
          else if (isUnsafe(item)) onUnsafeNumber?.()
        }
        continue
      }
      const fault = lookThrough(node as Record<string, unknown>, next, maxKeys, onUnsafeNumber)
      if (fault !== undefined) return fault
    }
    level = next
  }
  return undefined
}

/** `for … in` over what JSON.parse made is the fastest way through it, and sees own keys only. */
function lookThrough(
  node: Record<string, unknown>,
  next: object[],
  maxKeys: number,
  onUnsafeNumber: (() => void) | undefined,
): Fault | undefined {
  let keys = 0
  for (const key in node) {
    if (key === '__proto__' || key === 'constructor') {
      const forbidden = forbiddenKeyOf(node)
      if (forbidden !== undefined) return { code: 'forbidden_key', words: `hold the key "${forbidden}", which is not allowed` }
    }
    const value = node[key]
    if (isNode(value)) next.push(value)
    else if (isUnsafe(value)) onUnsafeNumber?.()
    keys++
  }
  return keys > maxKeys ? { code: 'too_large', words: `hold an object of more than ${maxKeys} keys` } : undefined
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isUnsafe(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

/** The key of a node that reaches a prototype when code merges values by their keys. */
export function forbiddenKeyOf(node: object): string | undefined {
  if (Object.hasOwn(node, '__proto__')) return '__proto__'
  if (!Object.hasOwn(node, 'constructor')) return undefined
  const value: unknown = node.constructor
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype') ? 'constructor.prototype' : undefined
}
