/** Converts a validator's failures into issues that a model can understand. */

import { nearestNames } from '../../../nearest-names.ts'
import { redact } from '../../../redact/redact.ts'
import { type Issue, MAX_ISSUES, shorten } from '../../issue.ts'
import { segmentsOf, valueAt } from '../../pointer.ts'
import { propertiesOf, typesOf } from '../../schema.ts'
import { isObject } from '../equal.ts'
import type { Failure } from './failure.ts'
import { SchemaPlaces } from './places.ts'
import { hides, looksSecret, mayHide } from './secret.ts'
import { mergeUnions } from './unions.ts'
import { didYouMean, wordsOf } from './words.ts'

const MAX_GOT = 60
/** Number of characters to search for credentials. It's larger than `MAX_GOT`, because a truncated credential may not be recognized. */
const MAX_SEEN = 1_000
const MAX_KEYS = 8
/** Maximum length of a path. A longer path is truncated, and its value isn't shown. */
const MAX_PATH = 10_000
/** Maximum number of failures to read. A list of a million wrong items produces a million failures. */
const MAX_READ = 1_000
/** Maximum number of characters in the paths of these failures. A path contains keys, which may be long. */
const MAX_READ_CHARACTERS = 1_000_000
/** Maximum number of parts of the schema to visit. A value at a place beyond them is treated as secret. */
const MAX_VISITS = 10_000

/** Returns the issues for an invalid value: at most ten, without duplicates. */
export function explain(schema: object, value: unknown, failures: readonly Failure[]): readonly Issue[] {
  const issues = new Map<string, Issue>()
  const places = new SchemaPlaces(schema, MAX_VISITS)
  const isHiding = mayHide(schema)
  for (const failure of mergeUnions(firstOf(failures), schema)) {
    const issue = toIssue(places, value, failure, isHiding)
    issues.set(`${issue.path} ${issue.message}`, issue)
    if (issues.size === MAX_ISSUES) break
  }
  return [...issues.values()]
}

function firstOf(failures: readonly Failure[]): readonly Failure[] {
  const first = failures.slice(0, MAX_READ)
  let left = MAX_READ_CHARACTERS
  const end = first.findIndex(({ instancePath }) => {
    left -= instancePath.length
    return left < 0
  })
  return end < 0 ? first : first.slice(0, end + 1)
}

function toIssue(places: SchemaPlaces, value: unknown, failure: Failure, isHiding: boolean): Issue {
  const { instancePath: path, keyword } = failure
  if (path.length > MAX_PATH) return { path: `${path.slice(0, MAX_PATH)}…`, keyword, ...wordsOf(failure) }
  const keys = segmentsOf(path)
  const found = valueAt(value, keys)
  const { message, expected } = wordsOf(failure)
  const isSealed = typeof found === 'string' && asksForMembers(places, keys, failure)
  const isSecret = keys.some(looksSecret) || (isHiding && places.onTheWay(keys).some(hides))
  const got = isSealed ? `a string of ${found.length} characters` : render(found)
  return {
    path,
    keyword,
    message: message + hintOf(places, value, keys, failure),
    ...(expected !== undefined && { expected }),
    got: isSecret ? '[redacted]' : got,
  }
}

/** True if an object or an array is expected. A string in its place is never shown, because it may contain the text of secret members. */
function asksForMembers(places: SchemaPlaces, keys: readonly string[], { keyword, params }: Failure): boolean {
  const place = keyword === 'type' ? undefined : places.atPath(keys)
  const types = place === undefined ? [params.type].flat() : place.schemas.flatMap(typesOf)
  return place?.isPartial === true || types.includes('object') || types.includes('array')
}

/** Renders a value. Shows only the keys of an object, because its values may be secret. */
function render(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(shorten(redact(value.slice(0, MAX_SEEN)), MAX_GOT))
  if (Array.isArray(value)) return value.length === 1 ? '[1 item]' : `[${value.length} items]`
  if (!isObject(value)) return shorten(String(value), MAX_GOT)
  const names = Object.keys(value)
  const shown = names.slice(0, MAX_KEYS).map((name) => JSON.stringify(shorten(name, MAX_GOT)))
  return `{${shown.join(', ')}${names.length > MAX_KEYS ? ', …' : ''}}`
}

/**
 * Returns a hint to append to the message. For an undeclared name, the hint suggests a similar declared one. For a missing name, it shows a
 * similar undeclared one.
 */
function hintOf(places: SchemaPlaces, value: unknown, keys: readonly string[], { keyword, params }: Failure): string {
  const declared = () => places.atPath(keys).schemas.flatMap((node) => Object.keys(propertiesOf(node)))
  if (keyword === 'additionalProperties') return didYouMean(String(params.additionalProperty), declared())
  if (keyword !== 'required') return ''
  const object = valueAt(value, keys)
  const known = new Set(declared())
  const undeclared = isObject(object)
    ? Object.keys(object)
        .slice(0, MAX_READ)
        .filter((name) => !known.has(name))
    : []
  const [near] = undeclared.length === 0 ? [] : nearestNames(String(params.missingProperty), undeclared, 1)
  return near === undefined ? '' : `, not ${JSON.stringify(shorten(near, MAX_GOT))}`
}
