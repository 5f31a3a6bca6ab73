/** A short text for a long one: to tell names apart, not to keep secrets. */

/** FNV-1a of 32 bits over UTF-16 units, as seven characters of base 36. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(7, '0')
}
