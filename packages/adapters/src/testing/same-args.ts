/** Normalizes arguments so that they can be compared, however they are written. */

/** Parses argument text. Empty text and `null` mean no arguments. Text that isn't JSON is returned unchanged. */
export function readArgs(text: string): unknown {
  try {
    return text === '' ? {} : (JSON.parse(text) ?? {})
  } catch {
    return text
  }
}

/** Sorts the keys of all objects. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}
