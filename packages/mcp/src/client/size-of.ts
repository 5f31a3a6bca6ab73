/** Measures what a server sends, so that tools that are too large can be removed from its list. */

/** Maximum size of a tool's definition, in characters. A model reads most of it with each request. */
export const MAX_DEFINITION = 256 * 1024

/** A tool that was removed from a list. */
export interface Removed {
  readonly name: string
  /** True if the definition is too large. False if it doesn't follow the protocol. */
  readonly isTooLarge: boolean
}

/** Estimates the length of a value as JSON without serializing it. Doesn't recurse, because a server sent the value. */
export function sizeOf(value: unknown): number {
  let size = 0
  const left: object[] = []
  const add = (one: unknown) => {
    size += typeof one === 'string' ? one.length : 4
    if (typeof one === 'object' && one !== null) left.push(one)
  }
  add(value)
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (Array.isArray(one)) for (const item of one) add(item)
    else
      for (const key in one) {
        size += key.length
        add(one[key as never])
      }
  }
  return size
}
