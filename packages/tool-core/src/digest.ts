/** Digests of plain data, with the Web Crypto API, which browsers provide only on secure pages. */

/** Serializes a value as JSON with keys sorted by UTF-16 code units. `undefined` members are left out, as in `JSON.stringify`. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null'
}

/** Computes the SHA-256 of the value as canonical JSON, in hexadecimal. */
export async function digestOf(value: unknown): Promise<string> {
  return sha256(canonicalJson(value))
}

/** Uses `fromEntries`, because it treats `__proto__` like any other key. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Computes the SHA-256 of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
