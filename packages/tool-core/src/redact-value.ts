/** Removes secrets from a JSON value. */
import { redact } from './redact.ts'
import { isHidden, looksSecret } from './schema/validators/issues/secret.ts'

/**
 * Returns a copy in which each secret is replaced with `[redacted]`. A value counts as a secret if its key looks secret (`password`,
 * `apiKey`), or if the schema marks it as `writeOnly`. Within strings, credentials in known formats are replaced. Other secrets aren't
 * recognized.
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
