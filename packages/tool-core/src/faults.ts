/** Finds faults that `JSON.parse` lets through: excessive depth or size, and keys that could change an object's prototype. */

export const MAX_DEPTH = 512
/** Maximum number of objects, arrays and scalars in a value. */
export const MAX_VALUES = 1_000_000
/** Maximum number of characters in all strings and keys of a value. */
export const MAX_CHARACTERS = 16 * 1024 * 1024
/**
 * Limit to pass to `boundOutput` for arguments. Valid arguments never reach it, so they are never truncated. A number has at most 25
 * characters, and an empty key counts as one. In JSON, a control character has six.
 */
export const MAX_ARGS_LENGTH = 26 * MAX_VALUES + 6 * MAX_CHARACTERS

export interface Fault {
  readonly code: 'too_deep' | 'too_large' | 'forbidden_key'
  /** The predicate of a sentence with a plural subject, such as `are nested deeper than 512 levels`. */
  readonly words: string
}

/**
 * Returns the first fault in a parsed JSON value. Searches level by level, because recursion could overflow the stack. Also calls
 * `onUnsafeNumber` for each number outside the safe integer range, so that callers don't need a second pass.
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

/**
 * Checks an object's keys, and adds its nested objects to `next`. `for … in` is the fastest loop, and safe here because a result of
 * JSON.parse has only own keys.
 */
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
      if (forbidden !== undefined) return { code: 'forbidden_key', words: `contain the key "${forbidden}", which is not allowed` }
    }
    const value = node[key]
    if (isNode(value)) next.push(value)
    else if (isUnsafe(value)) onUnsafeNumber?.()
    keys++
  }
  return keys > maxKeys ? { code: 'too_large', words: `contain an object with more than ${maxKeys} keys` } : undefined
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isUnsafe(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

/** Returns a key that would change an object's prototype in a key-by-key merge. Undefined if the object has no such key. */
export function forbiddenKeyOf(node: object): string | undefined {
  if (Object.hasOwn(node, '__proto__')) return '__proto__'
  if (!Object.hasOwn(node, 'constructor')) return undefined
  const value: unknown = node.constructor
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype') ? 'constructor.prototype' : undefined
}
