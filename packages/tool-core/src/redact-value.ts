/** Removes secrets from a JSON value. */
import { redact } from './redact.ts'
import { isHidden, looksSecret } from './schema/validators/issues/secret.ts'

/**
 * Returns a copy without secrets: values whose key looks secret (`password`, `apiKey`) or that the schema marks as `writeOnly`, and
 * credentials in known formats within strings. Each becomes `[redacted]`. A secret that neither its key, the schema nor its form identifies
 * stays.
 */
export function redactValue(value: unknown, schema: object = {}): unknown {
  return isHidden(schema, []) ? REDACTED : copyOf(value, [], schema)
}

const REDACTED = '[redacted]'

function copyOf(value: unknown, path: readonly string[], schema: object): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => memberOf(item, [...path, String(index)], schema))
  const members = Object.entries(value).map(([key, member]) => [
    redact(key),
    looksSecret(key) ? REDACTED : memberOf(member, [...path, key], schema),
  ])
  return Object.fromEntries(members)
}

function memberOf(member: unknown, path: readonly string[], schema: object): unknown {
  return isHidden(schema, path) ? REDACTED : copyOf(member, path, schema)
}
