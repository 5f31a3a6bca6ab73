/** Parses text that may not be JSON. */

/** Parses JSON text. Returns undefined if the text isn't JSON, or is nested too deeply to be serialized again. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns true for an object that isn't an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const DEEPEST = 200

function isDeep(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > DEEPEST) return true
  }
  return false
}
