/**
 * Finds undeclared arguments that are probably misspelled or misplaced declared ones. If they were silently removed, the call would do
 * something that the model didn't intend.
 */
import { nearestNames } from '../nearest-names.ts'
import { type Issue, MAX_ISSUES, shorten } from '../schema/issue.ts'
import { pointerOf } from '../schema/pointer.ts'
import { isSchemaNode as isRecord } from '../schema/schema.ts'
import { isEqual } from '../schema/validators/equal.ts'
import { didYouMean } from '../schema/validators/issues/words.ts'
import type { ObjectPreparation, Preparation } from './preparation.ts'
import { readContainer } from './whole-text.ts'

/** An undeclared argument that was removed. */
export interface Stripped {
  readonly key: string
  /** Path of the object that contained it. */
  readonly path: readonly (string | number)[]
  readonly object: ObjectPreparation
  readonly given: Readonly<Record<string, unknown>>
  readonly copy: Readonly<Record<string, unknown>>
}

/** Maximum number of removed arguments to examine. A list of objects usually repeats the same mistake in every item. */
export const MAX_COMPARED = 1_000
/** Maximum number of pairs of names to compare. Each comparison takes about three microseconds. */
const MAX_PAIRS = 30_000

/** Returns an issue for each of the first ten removed arguments that look like a mistake. `root` is the copy of the whole value. */
export function meantIssues(all: readonly Stripped[], preparation: Preparation, root: unknown): Issue[] {
  const issues: Issue[] = []
  const nearest = toNearest()
  for (const stripped of all) {
    const hint = hintFor(stripped, preparation, root, nearest)
    if (hint !== undefined) issues.push({ path: pointerOf([...stripped.path, stripped.key]), ...toIssue(hint, stripped.object) })
    if (issues.length === MAX_ISSUES) break
  }
  return issues
}

type Nearest = (key: string, names: readonly string[]) => string | undefined

/** Returns a function that finds the nearest declared name. Results are cached, because the items of a list usually have the same keys. */
function toNearest(): Nearest {
  const known = new Map<string, string | undefined>()
  let left = MAX_PAIRS
  return (key, names) => {
    const question = [key, ...names].join('\0')
    if (known.has(question)) return known.get(question)
    left -= names.length
    const answer = left < 0 ? undefined : nearestOf(key, names)
    known.set(question, answer)
    return answer
  }
}

/**
 * Returns the name that is nearest to a key. Prefers a name with the same letters: `dryRun`, `dry_run` and `dry-run:` count as the same
 * name.
 */
function nearestOf(key: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(key)
  return names.find((name) => lettersOf(name) === letters) ?? nearestNames(key, names, 1)[0]
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name
}

/** Returns the issue for an undeclared argument of a strict tool. */
export function undeclared(key: string, object: ObjectPreparation): Omit<Issue, 'path'> {
  return toIssue(didYouMean(key, namesOf(object)), object)
}

const MAX_NAMES = 200

function toIssue(hint: string, object: ObjectPreparation): Omit<Issue, 'path'> {
  const expected = shorten(`one of ${namesOf(object).join(', ')}`, MAX_NAMES)
  return { keyword: 'additionalProperties', message: `is not declared${hint}`, expected }
}

function namesOf({ declared }: ObjectPreparation): readonly string[] {
  return declared.map(({ name }) => name)
}

/** Returns a hint for the error message, such as the declared name that was probably meant. Undefined if the argument can be removed. */
function hintFor(stripped: Stripped, preparation: Preparation, root: unknown, nearest: Nearest): string | undefined {
  const { key, object, given } = stripped
  if (object.declared.length === 0) return undefined
  if (hasDeclared(object, memberOf(given[key]))) return ': move its members up one level'
  const names = namesOf(object)
  // No declared argument is present, so either the name is wrong, or the arguments are wrapped in a call or a schema.
  if (!hasDeclared(object, given)) return didYouMean(key, names) || ` (declared: ${shorten(names.join(', '), MAX_NAMES)})`
  const absent = names.filter((name) => !isFilled(stripped, name))
  const meant = nearest(key, absent) ?? pointerElsewhere(stripped, preparation, root)
  return meant === undefined ? undefined : ` (did you mean ${JSON.stringify(meant)}?)`
}

/** Returns an argument's value if it's an object or the JSON text of one, otherwise an empty object. */
function memberOf(value: unknown): Readonly<Record<string, unknown>> {
  const member = typeof value === 'string' && value.startsWith('{') ? readContainer(value) : value
  return isRecord(member) ? member : {}
}

function hasDeclared({ declared }: ObjectPreparation, given: Readonly<Record<string, unknown>>): boolean {
  return declared.some(({ name }) => Object.hasOwn(given, name) && given[name] !== undefined)
}

/**
 * True if the call has its own value for the property. A value that equals the default doesn't count, because coercion may have filled it
 * in.
 */
function isFilled({ object, copy }: Pick<Stripped, 'object' | 'copy'>, name: string): boolean {
  if (!Object.hasOwn(copy, name)) return false
  const fallback = object.defaults.find((one) => one.name === name)
  return fallback === undefined || !isEqual(copy[name], fallback.value)
}

type Place = Pick<Stripped, 'path' | 'object' | 'copy'>

/**
 * Looks for an outer or inner object that declares the argument but lacks it, because the model may have closed a bracket too late or too
 * early. Returns the pointer to the argument in that object.
 */
function pointerElsewhere({ key, path, object, copy }: Stripped, preparation: Preparation, root: unknown): string | undefined {
  const lacks = (place: Pick<Stripped, 'object' | 'copy'>) => place.object.properties.has(key) && !isFilled(place, key)
  for (const outer of placesAlong(path, preparation, root).reverse()) if (lacks(outer)) return pointerOf([...outer.path, key])
  const inner = object.declared.find(({ name, ofValue }) => {
    const value = copy[name]
    return lacks({ object: ofValue.object, copy: isRecord(value) ? value : {} })
  })
  return inner && pointerOf([...path, inner.name, key])
}

/** Returns all objects along a path except the last one. */
function placesAlong(path: readonly (string | number)[], preparation: Preparation, root: unknown): Place[] {
  const places: Place[] = []
  let next = preparation
  let copy = root as Record<string | number, unknown>
  for (let depth = 0; depth < path.length; depth++) {
    const key = path[depth] as string | number
    if (typeof key === 'number') next = next.itemAt(key)
    else {
      const { object } = next
      places.push({ path: path.slice(0, depth), object, copy })
      next = object.properties.get(key)?.ofValue ?? object.ofAdditional()
    }
    copy = copy[key] as typeof copy
  }
  return places
}
