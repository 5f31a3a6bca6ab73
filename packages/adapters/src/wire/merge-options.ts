/**
 * Merges provider options into a body. Objects are merged recursively. `tools` are added to those of the body, so that the provider's own
 * tools can be offered beside the request's. Other values are replaced.
 */
import { isObject, type JsonObject } from './read-json.ts'

const MAX_DEPTH = 16

export function mergeOptions(body: JsonObject, options: JsonObject | undefined, depth = 0): JsonObject {
  if (options === undefined) return body
  const merged = new Map(Object.entries(body))
  for (const [key, value] of Object.entries(options)) {
    const own = merged.get(key)
    if (key === 'tools' && Array.isArray(own) && Array.isArray(value)) merged.set(key, [...own, ...value])
    else if (isObject(own) && isObject(value) && depth < MAX_DEPTH) merged.set(key, mergeOptions(own, value, depth + 1))
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}
