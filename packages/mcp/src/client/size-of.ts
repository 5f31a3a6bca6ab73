/** Measures the data that a server sends, so that oversized tools can be removed from its list. */

/** Maximum size of a tool's definition, in characters. A model reads most of it with each request. */
export const MAX_DEFINITION = 256 * 1024

/** A tool that was removed from a server's list, and why. */
export interface Removed {
  readonly name: string
  readonly fault: 'too_large' | 'too_deep' | 'invalid'
}

export interface Extent {
  /** Approximate length of the value as JSON, in characters. */
  readonly size: number
  readonly depth: number
}

/** Measures a value without serializing it. Isn't recursive, because a server may send a deeply nested value. */
export function extentOf(value: unknown): Extent {
  let size = 0
  let depth = 0
  let next: object[] = []
  const add = (one: unknown) => {
    size += typeof one === 'string' ? one.length : 4
    if (typeof one === 'object' && one !== null) next.push(one)
  }
  add(value)
  for (; next.length > 0; depth++) {
    const level = next
    next = []
    for (const one of level) {
      if (Array.isArray(one)) for (const item of one) add(item)
      else
        for (const key in one) {
          size += key.length
          add(one[key as never])
        }
    }
  }
  return { size, depth }
}
