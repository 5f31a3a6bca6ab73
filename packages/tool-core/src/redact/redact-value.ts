/** Removes secrets from a JSON value. */

import { type SchemaPlace, SchemaPlaces } from '../schema/validators/issues/places.ts'
import { hides, looksSecret, mayHide } from '../schema/validators/issues/secret.ts'
import { redact } from './redact.ts'

/**
 * Returns a copy in which each secret is replaced with `[redacted]`. A value counts as a secret if its key looks secret (`password`,
 * `apiKey`), or if the schema marks it as `writeOnly`. Within strings, credentials in known formats are replaced. Other secrets aren't
 * recognized.
 */
export function redactValue(value: unknown, schema: object = {}): unknown {
  if (!mayHide(schema)) return copyOf(value, undefined)
  const places = new SchemaPlaces(schema, MAX_VISITS)
  return memberOf(value, { places, at: places.root })
}

const REDACTED = '[redacted]'
/** Maximum number of parts of the schema to visit. Members at places beyond them are redacted. */
const MAX_VISITS = 1_000_000

interface Hiding {
  readonly places: SchemaPlaces
  readonly at: SchemaPlace
}

/** `hiding` is undefined if the schema hides nothing. */
function copyOf(value: unknown, hiding: Hiding | undefined): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  const below = (key: string) => hiding && { places: hiding.places, at: hiding.places.at(hiding.at, key) }
  if (Array.isArray(value)) return value.map((item, index) => memberOf(item, below(String(index))))
  const members = Object.entries(value).map(([key, member]) => [
    redact(key),
    looksSecret(key) ? REDACTED : memberOf(member, below(key)),
  ])
  return Object.fromEntries(members)
}

function memberOf(member: unknown, hiding: Hiding | undefined): unknown {
  if (hiding === undefined) return copyOf(member, undefined)
  if (hides(hiding.at)) return REDACTED
  return typeof member === 'string' && /^\s*[[{]/.test(member) ? jsonOf(member, hiding) : copyOf(member, hiding)
}

/** Redacts a string that may contain JSON, because a tool reads an object or a list that was given as JSON text. */
function jsonOf(text: string, hiding: Hiding): unknown {
  try {
    return JSON.stringify(memberOf(JSON.parse(text), hiding))
  } catch (error) {
    // Without a syntax error, the text is nested too deeply.
    return error instanceof SyntaxError ? redact(text) : REDACTED
  }
}
