/** Resolves a `$ref`. */
import { valueAt } from '@x/tool-core'
import { isSchema, type SchemaNode } from './keywords.ts'
import { type Place, type Trail, toNode } from './place.ts'

export const POINTS_TO_NOTHING = 'does not resolve in these parameters'

/** Returns the target of a reference. Returns undefined if the reference points outside the schema or to nothing. */
export function resolveReference(reference: unknown, root: SchemaNode, trail: Trail | undefined): Place | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  const pointer = decode(reference.slice(1))
  if (pointer === undefined || (pointer !== '' && !pointer.startsWith('/'))) return undefined
  const value = valueAt(root, pointer)
  if (!isSchema(value) && typeof value !== 'boolean') return undefined
  return { node: toNode(value), path: pointer, trail: { pointer, outer: trail } }
}

function decode(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

/** Returns true for a reference to the root or to a definition in the root, because shaping never moves these. */
export function isPlainReference(reference: unknown): boolean {
  return typeof reference === 'string' && /^#(?:\/(?:\$defs|definitions)\/[^/%]+)?$/.test(reference)
}
