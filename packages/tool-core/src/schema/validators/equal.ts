/** Equality of JSON values, whatever their properties are called. */

/** Receives the number of steps that a comparison takes. If it throws, the comparison ends. */
export type Take = (steps: number) => void

/** Returns the positions of the last two equal items, the later one first; `undefined` if all differ. Compares a text of each, in one pass. */
export function duplicatesOf(items: readonly unknown[], take: Take = () => {}): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>()
  for (let index = items.length - 1; index >= 0; index--) {
    const key = keyOf(items[index], take)
    const earlier = seen.get(key)
    if (earlier !== undefined) return [earlier, index]
    seen.set(key, index)
  }
  return undefined
}

/** Ends at the first difference. */
export function isEqual(one: unknown, other: unknown, take: Take = () => {}): boolean {
  take(1)
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) || Array.isArray(other)) return areSameLists(one, other, take)
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name], take))
}

function areSameLists(one: unknown, other: unknown, take: Take): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((item, index) => isEqual(item, other[index], take))
}

/** A scalar is its own key (0 and -0 are equal). Arrays and objects have their canonical text as key, without a clash with strings. */
function keyOf(value: unknown, take: Take): unknown {
  if (typeof value === 'string') return `"${value}`
  return isObject(value) ? textOf(value, take) : value
}

function textOf(value: unknown, take: Take): string {
  if (Array.isArray(value)) {
    take(STEPS_OF_A_TEXT * value.length)
    return `[${value.map((item) => textOf(item, take)).join()}]`
  }
  if (!isObject(value)) {
    if (typeof value === 'string') take(value.length / 8)
    return JSON.stringify(value) ?? String(value)
  }
  const entries = Object.entries(value)
  take(2 * STEPS_OF_A_TEXT * entries.length)
  const fields = entries.map(([key, field]) => `${JSON.stringify(key)}:${textOf(field, take)}`)
  return `{${fields.sort().join()}}`
}

/** Steps for each value within a canonical text. */
const STEPS_OF_A_TEXT = 10

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
