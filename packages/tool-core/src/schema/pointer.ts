/** JSON pointers (RFC 6901). */

/** Escapes a key for a JSON pointer. */
export function pointerSegment(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** Returns the JSON pointer with these keys. */
export function pointerOf(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${pointerSegment(String(key))}`).join('')
}

/** Returns the keys of a JSON pointer, unescaped. */
export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split('/').slice(1)
  return pointer.includes('~') ? segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')) : segments
}

/** Returns the value at a JSON pointer, which may also be given as its keys. Undefined if there is no value. */
export function valueAt(root: unknown, pointer: string | readonly string[]): unknown {
  return (typeof pointer === 'string' ? segmentsOf(pointer) : pointer).reduce(memberOf, root)
}

/** Returns an own member of a value. Undefined if there is no own member with this name. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

/**
 * Returns the part of a schema that `#` or `#/$defs/name` refers to. Undefined for any other reference, and for a reference without a
 * target.
 */
export function targetOf(reference: string, root: unknown): unknown {
  return reference === '#' || reference.startsWith('#/') ? valueAt(root, reference.slice(1)) : undefined
}
