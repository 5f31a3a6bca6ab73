/** Converts issues from another library's validator. Removes the values that their messages repeat, because a value may be a password. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isToolError } from '../errors.ts'
import { type Issue, MAX_ISSUES, shorten } from './issue.ts'
import { pointerOf, valueAt } from './pointer.ts'
import { type RepeatedTexts, RepeatedValues } from './repeated-values.ts'
import { SchemaPlaces } from './validators/issues/places.ts'
import { quoted } from './validators/issues/words.ts'

const MAX_MESSAGE = 500
/** Maximum number of parts of the schema to search for a description. */
const MAX_VISITS = 10_000

/**
 * Converts a library's issues. `own` are the issues that the JSON Schema reports. Where one of them is at the same place, it is used, so that the same arguments
 * fail in the same way for every kind of schema. The library's message is kept for a rule that only the library checks, and for a limit,
 * because a schema may define its own message for that. A message that repeats a value is replaced with the JSON Schema's message, with
 * what the library expected, or with the message without the value.
 */
export function toForeignIssues(
  found: readonly StandardSchemaV1.Issue[],
  value: unknown,
  jsonSchema: object,
  own: readonly Issue[],
): readonly Issue[] {
  const values = new RepeatedValues(value)
  const issues = new Map<string, Issue>()
  for (const issue of found.slice(0, MAX_ISSUES)) {
    // Copied, because the paths in arktype's issues are a subclass of `Array` with a different `slice`.
    const keys: string[] = []
    for (const segment of issue.path ?? []) keys.push(String(typeof segment === 'object' ? segment.key : segment))
    const path = pointerOf(keys)
    const here = issuesAt(own, keys, value)
    const message = shorten(String(issue.message), MAX_MESSAGE)
    const repeated = values.at(keys, issue)
    const isPoor = () => repeated.isIn(message) || repeatsDescription(message, jsonSchema, keys)
    if (here.some((one) => STRUCTURE.has(one.keyword) || one.path !== path) || (here.length > 0 && isPoor()))
      for (const one of here) issues.set(`${one.path} ${one.message}`, { ...one, got: undefined })
    else issues.set(`${path} ${message}`, { path, keyword: here[0]?.keyword ?? FOREIGN, ...wordsOf(issue, message, repeated) })
  }
  return [...issues.values()].slice(0, MAX_ISSUES)
}

const FOREIGN = 'standard-schema'
/** Keywords whose messages from the JSON Schema are as informative as a library's. */
const STRUCTURE: ReadonlySet<string> = new Set(['type', 'required', 'enum', 'const', 'anyOf', 'oneOf', 'additionalProperties'])

/**
 * Returns the issues that the JSON Schema reports for a path. If there are none at the path itself, returns those inside its value,
 * because the library may report a union as a whole. If the value is missing, returns those of the list or object that should contain it.
 */
function issuesAt(own: readonly Issue[], keys: readonly string[], value: unknown): readonly Issue[] {
  const path = pointerOf(keys)
  const here = own.filter((candidate) => candidate.path === path || isOfObject(candidate, keys))
  if (here.length > 0) return here
  if (valueAt(value, keys) !== undefined) return own.filter((candidate) => candidate.path.startsWith(`${path}/`))
  const above = pointerOf(keys.slice(0, -1))
  return own.filter((candidate) => candidate.path === above && CONTAINERS.has(candidate.keyword))
}

/** Keywords that fail if a value isn't the expected list or object, or if a list has too few items. */
const CONTAINERS: ReadonlySet<string> = new Set(['type', 'anyOf', 'oneOf', 'minItems'])

/**
 * True if the issue is about this property, but has the path of the object around it, because the property is missing or undeclared. A
 * library reports such an issue at the property's own path.
 */
function isOfObject({ path, keyword, message, expected }: Issue, keys: readonly string[]): boolean {
  const name = keys.at(-1)
  if (name === undefined || path !== pointerOf(keys.slice(0, -1))) return false
  if (keyword === 'required') return message === `must have required property '${name}'`
  return keyword === 'additionalProperties' && expected === `no property ${quoted(name)}`
}

/** True for a message from arktype that contains a description instead of a rule: `city must be City of the hotel`. */
function repeatsDescription(message: string, jsonSchema: object, keys: readonly string[]): boolean {
  return new SchemaPlaces(jsonSchema, MAX_VISITS)
    .atPath(keys)
    .schemas.some(({ description }) => typeof description === 'string' && description !== '' && message.includes(description))
}

function wordsOf(issue: object, message: string, repeated: RepeatedTexts): { message: string; expected?: string } {
  if (!repeated.isIn(message)) return { message }
  const { expected } = issue as { readonly expected?: unknown }
  const isSafe = typeof expected === 'string' && !repeated.isIn(expected)
  return isSafe ? { message: `must be ${shorten(expected, MAX_MESSAGE)}`, expected } : { message: repeated.removedFrom(message) }
}

/**
 * Removes argument values from the message of an error that another library's validator threw. When a transformation calls `JSON.parse`,
 * for instance, the error repeats the text that can't be parsed. Returns a `ToolError` unchanged, because its message is written for the
 * model.
 */
export function withoutValues(thrown: unknown, value: unknown): unknown {
  const message = thrown instanceof Error ? thrown.message : thrown
  if (typeof message !== 'string' || isToolError(thrown)) return thrown
  const repeated = new RepeatedValues(value).at([], {})
  return repeated.isIn(message) ? new Error(repeated.removedFrom(message), { cause: thrown }) : thrown
}
