/** Which values are equal as JSON, by a text for each: in one pass for a whole list, and whatever their properties are called. */

/** The positions of the last two equal items, the later one first; `undefined` when all differ. */
export function duplicatesOf(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>()
  for (let index = items.length - 1; index >= 0; index--) {
    const key = keyOf(items[index])
    const earlier = seen.get(key)
    if (earlier !== undefined) return [earlier, index]
    seen.set(key, index)
  }
  return undefined
}

export function isEqual(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other)
}

/** Scalars stand for themselves (0 and -0 are one), lists and objects for their canonical text, marked as such. */
function keyOf(value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`
  return typeof value === 'object' && value !== null ? textOf(value) : value
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${textOf(field)}`)
  return `{${fields.sort().join()}}`
}
