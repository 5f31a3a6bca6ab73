/** Merges provider options into a body. Objects are merged recursively, and other values are replaced. */
import { isObject, type JsonObject } from './read-json.ts'

const MAX_DEPTH = 16

export function mergeOptions(body: JsonObject, options: JsonObject | undefined, depth = 0): JsonObject {
  if (options === undefined) return body
  const merged = new Map(Object.entries(body))
  for (const [key, value] of Object.entries(options)) {
    const own = merged.get(key)
    merged.set(key, isObject(own) && isObject(value) && depth < MAX_DEPTH ? mergeOptions(own, value, depth + 1) : value)
  }
  return Object.fromEntries(merged)
}
