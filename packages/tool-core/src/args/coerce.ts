/**
 * Coercion: copies the arguments before validation, converts some of them, and tags each change. All coercion in the project happens here.
 */

import { ToolError } from '../errors.ts'
import { forbiddenKeyOf, MAX_CHARACTERS, MAX_DEPTH, MAX_VALUES } from '../faults.ts'
import { type Issue, MAX_ISSUES } from '../schema/issue.ts'
import { pointerOf } from '../schema/pointer.ts'
import { isInstance, isSchemaNode } from '../schema/schema.ts'
import { FORBIDDEN } from '../schema/validators/bounds.ts'
import { ownCopy } from './own-copy.ts'
import { type ObjectPreparation, type Preparation, preparationOf } from './preparation.ts'
import { MAX_COMPARED, meantIssues, type Stripped, undeclared } from './undeclared.ts'
import { readBoolean, readContainer, readNumber } from './whole-text.ts'

/**
 * A change to an argument:
 * - `defaulted`: a missing argument was filled in with the schema's default (`{}` → `{ "unit": "c" }`). With an empty path: there was no
 *   argument text, which is read as `{}`;
 * - `stripped`: an argument that the schema doesn't declare was removed (`{ "city": "Rome", "note": "…" }` → `{ "city": "Rome" }`);
 * - `null_dropped`: `null` was removed from an optional property that doesn't allow it (`{ "unit": null }` → `{}`);
 * - `coerced`: a whole string was converted to the expected number or boolean (`"2"` → `2`, `"True"` → `true`);
 * - `parsed_json`: a whole string was parsed as the expected array or object (`"[1, 2]"` → `[1, 2]`).
 */
export type ArgumentTagName = 'defaulted' | 'stripped' | 'null_dropped' | 'coerced' | 'parsed_json'

export interface ArgumentTag {
  readonly tag: ArgumentTagName
  /** JSON pointer of the argument. */
  readonly path: string
}

export interface CoercedArgs {
  readonly args: Record<string, unknown>
  /** The first hundred changes. Further changes are made without a tag. */
  readonly tags: readonly ArgumentTag[]
  /**
   * Issues that validation doesn't report: a forbidden key, an undeclared argument that is probably a misspelled or misplaced declared one,
   * and any undeclared argument of a strict tool.
   */
  readonly issues: readonly Issue[]
}

export interface CoercedValue {
  readonly value: unknown
  readonly tags: readonly ArgumentTag[]
  readonly issues: readonly Issue[]
}

export interface CoerceOptions {
  /** Reports undeclared arguments as issues instead of removing them. Default: false. */
  readonly strict?: boolean | undefined
  /**
   * True if the value is the output of code, not of a model. Undeclared members are then removed even if their names resemble declared
   * ones. Default: false.
   */
  readonly isOutput?: boolean | undefined
}

/**
 * Copies a call's arguments, makes the few changes that preserve their meaning, and tags each change. The caller's object isn't changed. A
 * string is converted only if the whole string can be, and if no number or key in it would change. `null` is never converted, but it's
 * removed from an optional property that doesn't allow it. Class instances within the arguments aren't copied. Throws `invalid_arguments`
 * for arguments that aren't an object, are nested deeper than 512 levels, or contain more than a million values or 16 Mi characters.
 */
export function coerceArgs(schema: object, args: object, options?: CoerceOptions): CoercedArgs {
  if (!isSchemaNode(args)) throw noObject(args)
  const preparation = preparationOf(schema)
  const walk = toWalk(preparation, options)
  const copy = copyObject(preparation.object, args, walk)
  const { tags, issues } = walk.stripped === undefined ? walk : withMeant(walk, walk.stripped, preparation, copy)
  return { args: copy, tags, issues }
}

function noObject(args: unknown): ToolError {
  const rest =
    typeof args === 'string'
      ? ', not a string. Parse the string first'
      : args === undefined
        ? '. A call has the form { id, name, args }'
        : ''
  return new ToolError('invalid_arguments', `The arguments must be an object${rest}.`)
}

/**
 * Coerces a single value, such as an output field that was written as text: `coerceValue(Type.Integer(), '2')` returns 2, tagged `coerced`.
 * The paths in tags are relative to the value. Throws like `coerceArgs`.
 */
export function coerceValue(schema: object, value: unknown, options?: CoerceOptions): CoercedValue {
  const preparation = preparationOf(schema)
  const walk = toWalk(preparation, options)
  const copy = copyValue(preparation, value, walk)
  const { tags, issues } = walk.stripped === undefined ? walk : withMeant(walk, walk.stripped, preparation, copy)
  return { value: copy, tags, issues }
}

/**
 * Reports removed arguments that look like mistakes, such as a misspelled name, as issues instead of tags. `root` is the complete copy,
 * which shows which declared arguments are missing.
 */
function withMeant(
  { tags, issues }: Walk,
  stripped: readonly Stripped[],
  preparation: Preparation,
  root: unknown,
): Pick<Walk, 'tags' | 'issues'> {
  const meant = meantIssues(stripped, preparation, root)
  const others = tags.filter(({ tag, path }) => tag !== 'stripped' || !meant.some((issue) => issue.path === path))
  for (const issue of meant) if (issues.length < MAX_ISSUES) issues.push(issue)
  return { tags: others, issues }
}

/** State of one traversal of a value. */
interface Walk {
  readonly isStrict: boolean
  readonly isOutput: boolean
  readonly fillsDefaults: boolean
  /** Removed arguments. Undefined if there are none, as in nearly all calls. */
  stripped: Stripped[] | undefined
  readonly tags: ArgumentTag[]
  readonly issues: Issue[]
  /** The first `depth` keys are the current path. */
  readonly keys: (string | number)[]
  depth: number
  values: number
  characters: number
  /** Number of strings that should have been an array or an object but couldn't be parsed. */
  unread: number
}

function toWalk({ fillsDefaults }: Preparation, { strict = false, isOutput = false }: CoerceOptions = {}): Walk {
  return {
    isStrict: strict,
    isOutput,
    fillsDefaults,
    stripped: undefined,
    tags: [],
    issues: [],
    keys: [],
    depth: 0,
    values: 0,
    characters: 0,
    unread: 0,
  }
}

function copyValue(preparation: Preparation, value: unknown, walk: Walk): unknown {
  add(walk, 1, typeof value === 'string' ? value.length : 0)
  if (typeof value === 'string') return preparation.keepsText ? value : copyText(preparation, value, walk)
  if (typeof value !== 'object' || value === null) return value
  if (walk.depth > MAX_DEPTH) refuse(`are nested deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) return copyList(preparation, value, walk)
  // A model never sends a class instance, but a previous step may.
  return isInstance(value) ? value : copyObject(preparation.object, value as Record<string, unknown>, walk)
}

function add(walk: Walk, values: number, characters: number): void {
  walk.values += values
  walk.characters += characters
  if (walk.values > MAX_VALUES) refuse(`contain more than ${MAX_VALUES} values`)
  if (walk.characters > MAX_CHARACTERS) refuseCharacters()
}

function copyAt(key: string | number, preparation: Preparation, value: unknown, walk: Walk): unknown {
  walk.keys[walk.depth++] = key
  const copy = copyValue(preparation, value, walk)
  walk.depth--
  return copy
}

function copyList(preparation: Preparation, list: readonly unknown[], walk: Walk): unknown[] {
  const copy: unknown[] = []
  for (let index = 0; index < list.length; index++) copy.push(copyAt(index, preparation.itemAt(index), list[index], walk))
  return copy
}

function copyObject(
  preparation: ObjectPreparation,
  value: Readonly<Record<string, unknown>>,
  walk: Walk,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    walk.characters += key.length
    const property = preparation.properties.get(key)
    const given = value[key]
    if (isForbidden(key, value)) addIssue(key, walk, () => FORBIDDEN)
    else if (property === undefined) copyUndeclared(key, value, preparation, copy, walk)
    else if (given === null && !property.isRequired && !property.ofValue.takesNull) tag('null_dropped', walk, key)
    else if (given !== undefined) copy[key] = copyAt(key, property.ofValue, given, walk)
  }
  if (walk.characters > MAX_CHARACTERS) refuseCharacters()
  if (!walk.fillsDefaults) return copy
  for (const { name, value: fallback, values, characters } of preparation.defaults) {
    if (Object.hasOwn(copy, name)) continue
    // Counted before copying, because defaults can turn a list of small objects into one of large objects.
    add(walk, values, characters)
    copy[name] = ownCopy(fallback)
    tag('defaulted', walk, name)
  }
  return copy
}

function isForbidden(key: string, value: object): boolean {
  return (key === '__proto__' || key === 'constructor') && forbiddenKeyOf(value)?.split('.')[0] === key
}

function copyUndeclared(
  key: string,
  value: Readonly<Record<string, unknown>>,
  preparation: ObjectPreparation,
  copy: Record<string, unknown>,
  walk: Walk,
): void {
  if (walk.isStrict ? !preparation.isClosedIfStrict : !preparation.isClosed)
    copy[key] = copyAt(key, preparation.ofAdditional(), value[key], walk)
  else if (walk.isStrict) addIssue(key, walk, () => undeclared(key, preparation))
  else {
    tag('stripped', walk, key)
    // `null` counts as missing.
    if (!walk.isOutput && value[key] !== null && value[key] !== undefined) noteStripped(key, value, preparation, copy, walk)
  }
}

function noteStripped(
  key: string,
  given: Readonly<Record<string, unknown>>,
  object: ObjectPreparation,
  copy: Record<string, unknown>,
  walk: Walk,
): void {
  walk.stripped ??= []
  if (walk.stripped.length < MAX_COMPARED) walk.stripped.push({ key, path: walk.keys.slice(0, walk.depth), object, given, copy })
}

function copyText(preparation: Preparation, value: string, walk: Walk): unknown {
  const { types } = preparation
  if (types.has('number') || types.has('integer')) {
    const number = readNumber(value)
    if (number !== undefined && (types.has('number') || Number.isSafeInteger(number))) return tagged('coerced', number, walk)
  }
  const boolean = types.has('boolean') ? readBoolean(value) : undefined
  if (boolean !== undefined) return tagged('coerced', boolean, walk)
  if (walk.unread === MAX_UNREAD || (!types.has('array') && !types.has('object'))) return value
  const container = readContainer(value)
  if (container === undefined || !types.has(Array.isArray(container) ? 'array' : 'object')) {
    walk.unread++
    return value
  }
  return copyValue(preparation, tagged('parsed_json', container, walk), walk)
}

/**
 * Maximum number of failed attempts to parse a string. Each attempt takes microseconds, and a value with more of them is invalid anyway.
 */
const MAX_UNREAD = 1_000

function refuseCharacters(): never {
  refuse(`contain more than ${MAX_CHARACTERS} characters`)
}

function refuse(words: string): never {
  throw new ToolError('invalid_arguments', `The arguments ${words}.`)
}

const MAX_TAGS = 100

function tagged<Value>(name: ArgumentTagName, value: Value, walk: Walk): Value {
  tag(name, walk)
  return value
}

function tag(name: ArgumentTagName, walk: Walk, key?: string): void {
  if (walk.tags.length < MAX_TAGS) walk.tags.push({ tag: name, path: pathOf(walk, key) })
}

function addIssue(key: string, walk: Walk, words: () => Omit<Issue, 'path'>): void {
  if (walk.issues.length < MAX_ISSUES) walk.issues.push({ path: pathOf(walk, key), ...words() })
}

function pathOf({ keys, depth }: Walk, key?: string): string {
  const path = keys.slice(0, depth)
  if (key !== undefined) path.push(key)
  return pointerOf(path)
}
