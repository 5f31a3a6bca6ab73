/** JSON pointers (RFC 6901): escapes and unescapes keys. */

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
