/** Returns true for a JSON object: not null and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Serializes a value as JSON with keys sorted by UTF-16 code units. `undefined` members are left out, as in `JSON.stringify`. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isRecord(item) ? sorted(item) : item)) ?? 'null'
}

/** Copies an object with sorted keys. Uses `fromEntries`, because it treats `__proto__` like any other key. */
function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
