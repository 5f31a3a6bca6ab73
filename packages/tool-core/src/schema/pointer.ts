/** JSON pointers (RFC 6901): how keys are written into one, and read out of it. */

/** A key as a part of a JSON pointer. */
export function pointerSegment(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

export function pointerOf(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${pointerSegment(String(key))}`).join('')
}

/** The keys that a JSON pointer names. */
export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split('/').slice(1)
  return pointer.includes('~') ? segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')) : segments
}
