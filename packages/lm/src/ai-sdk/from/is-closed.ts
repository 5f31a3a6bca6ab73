/**
 * Recognizes schemas that every provider accepts in strict mode: each object lists all of its properties, requires them, and
 * allows no others.
 */
import { arrayAt, isObject, type Json } from '../read.ts'

export function isClosed(schema: Json): boolean {
  const waiting: unknown[] = [schema]
  for (let count = 0; waiting.length > 0; count++) {
    if (count > MOST) return false
    const part = waiting.pop()
    if (Array.isArray(part)) waiting.push(...part)
    if (!isObject(part)) continue
    if (isObjectSchema(part) && !isClosedObject(part)) return false
    waiting.push(...Object.values(part))
  }
  return true
}

/** Maximum number of schema nodes to examine. */
const MOST = 10_000

/**
 * Returns true for an object schema. In a map of properties, `type` and `properties` may be property names, whose values are
 * schemas.
 */
function isObjectSchema({ type, properties }: Json): boolean {
  return type === 'object' || (isObject(properties) && type === undefined)
}

function isClosedObject({ properties, additionalProperties, ...schema }: Json): boolean {
  const required = new Set(arrayAt(schema, 'required'))
  return additionalProperties === false && Object.keys(isObject(properties) ? properties : {}).every((name) => required.has(name))
}
