/** Converts an output to a bounded JSON value that can be shown, recorded and sent. */
import { MAX_DEPTH } from '../faults.ts'
import { truncatedMark } from '../prompts.ts'
import { pointerSegment } from '../schema/pointer.ts'
import { isInstance } from '../schema/schema.ts'
import { classOf, descriptionOf } from './output-words.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * A change to an output:
 * - `converted`: replaced by the nearest JSON value: `10n` → `"10"`; a `Map` with string keys → an object, any other `Map` → an array of
 *   pairs; a `Set` or another iterable → an array; `NaN` or an invalid `Date` → `null`; a lone surrogate → `\uFFFD`; a duplicate key → `key
 *   (2)`;
 * - `described`: has no JSON form, and is replaced by a string such as `[binary, 1024 bytes]` or `[function]`, or by the class of an
 *   instance without visible members, such as `[Response]`;
 * - `circular`: a reference to a value that contains it, replaced by `[circular]`;
 * - `too_deep`: nested deeper than 512 levels, replaced by `[too deep]`;
 * - `truncated`: over the limit; the marker `[truncated: … in total]` contains the original size.
 */
export type OutputTagName = 'converted' | 'described' | 'circular' | 'too_deep' | 'truncated'

export interface OutputTag {
  readonly tag: OutputTagName
  /** JSON pointer to the place in the output. */
  readonly path: string
}

export interface BoundedOutput {
  readonly value: unknown
  readonly tags: readonly OutputTag[]
}

/** Approximate maximum length of an output, in characters of JSON. A tool that could return more should paginate or accept a limit. */
export const MAX_OUTPUT_LENGTH = 1_000_000
const MAX_TAGS = 100
const NO_TAGS: readonly OutputTag[] = Object.freeze([])

/** Returns the value itself if it is plain JSON within the limit, otherwise a bounded JSON copy with a tag for each change. Never throws. */
export function boundOutput(value: unknown, maxLength = MAX_OUTPUT_LENGTH): BoundedOutput {
  const budget = { left: maxLength }
  try {
    if (isPlain(value, 0, budget)) return { value, tags: NO_TAGS }
  } catch {
    // A getter or a proxy threw. The copy describes it.
  }
  const copy: Copy = { left: maxLength, tags: [], ancestors: new Set() }
  return { value: copyValue(value ?? null, '', copy), tags: copy.tags }
}

interface Budget {
  left: number
}

/** True for a value that `JSON.stringify` writes unchanged. Depth and size are limited, so the check also ends for circular values. */
function isPlain(value: unknown, depth: number, budget: Budget): boolean {
  budget.left -= lengthOf(value)
  if (budget.left < 0) return false
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'boolean') return true
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return false
  if (Array.isArray(value)) {
    if (Object.getPrototypeOf(value) !== Array.prototype || 'toJSON' in value) return false
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index], depth + 1, budget)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false
  const keys = Object.keys(value)
  if (keys.length === 0) return !(Symbol.iterator in value || Symbol.asyncIterator in value)
  for (const key of keys) {
    budget.left -= textLength(key) || 1
    const member: unknown = (value as Record<string, unknown>)[key]
    // JSON.stringify omits undefined members.
    if (member !== undefined && !isPlain(member, depth + 1, budget)) return false
    if (!key.isWellFormed()) return false
  }
  return budget.left >= 0
}

/** Returns the approximate length of a value as JSON, without its members. At least a third of it. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return 1 + textLength(value)
  return Object(value) === value ? 1 : String(value).length
}

/** Returns the length of a string, or its length in JSON if it has control characters, which take six characters there. */
function textLength(text: string): number {
  return CONTROL.test(text) ? JSON.stringify(text).length : text.length
}

const CONTROL = /[^\P{Cc}\t\n\r]/u

interface Copy extends Budget {
  readonly tags: OutputTag[]
  readonly ancestors: Set<object>
}

function copyValue(value: unknown, path: string, copy: Copy): JsonValue {
  copy.left -= lengthOf(value)
  switch (typeof value) {
    case 'string':
      return copyText(value, path, copy)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : tagged('converted', null, path, copy)
    case 'bigint':
      return tagged('converted', String(value), path, copy)
    case 'undefined':
      return null
    case 'object':
      return value === null ? null : copyObject(value, path, copy)
    default:
      return tagged('described', `[${typeof value}]`, path, copy)
  }
}

/** Copies a string whose length has already been subtracted. */
function copyText(text: string, path: string, copy: Copy): string {
  const whole = copy.left >= 0 || !text
  const length = textLength(text)
  const room = Math.max(0, copy.left + length)
  const kept = whole ? text : text.slice(0, length > text.length ? room / 6 : room)
  const wellFormed = kept.toWellFormed()
  if (!whole)
    return tagged('truncated', `${wellFormed.replace(/\uFFFD$/, '')}… ${truncatedMark(text.length, 'character')}`, path, copy)
  return wellFormed === kept ? kept : tagged('converted', wellFormed, path, copy)
}

function copyObject(value: object, path: string, copy: Copy): JsonValue {
  if (copy.ancestors.has(value)) return tagged('circular', '[circular]', path, copy)
  if (copy.ancestors.size >= MAX_DEPTH) return tagged('too_deep', '[too deep]', path, copy)
  copy.ancestors.add(value)
  try {
    return copyMembers(value, path, copy)
  } catch {
    return tagged('described', '[unreadable]', path, copy)
  } finally {
    copy.ancestors.delete(value)
  }
}

function copyMembers(value: object, path: string, copy: Copy): JsonValue {
  // Comes before `toJSON`, because binary data and errors may have that method too.
  const description = descriptionOf(value)
  if (description !== undefined) return tagged('described', description, path, copy)
  const scalar = unboxed(value)
  if (scalar !== undefined) return copyValue(scalar, path, copy)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const replacement: unknown = value.toJSON()
    return replacement === value ? copyRecord(Object.entries(value), path, copy) : copyValue(replacement, path, copy)
  }
  if (Array.isArray(value)) return copyList(value, path, copy)
  // Uses the built-in method, because a subclass may override the iterator with one that never ends.
  if (value instanceof Set) return tagged('converted', copyList([...Set.prototype.values.call(value)], path, copy), path, copy)
  if (value instanceof Map) {
    const entries = [...Map.prototype.entries.call(value)]
    const isRecord = entries.every(([key]) => typeof key === 'string')
    return tagged('converted', isRecord ? copyRecord(entries, path, copy) : copyList(entries, path, copy), path, copy)
  }
  const entries = Object.entries(value)
  if (entries.length > 0) return copyRecord(entries, path, copy)
  if (isIterable(value)) return tagged('converted', copyItems(value, path, copy), path, copy)
  return isInstance(value) ? tagged('described', classOf(value), path, copy) : {}
}

/** Returns the primitive value of `new String('a')` and other wrapper objects, and NaN for an invalid date. Undefined for any other object. */
function unboxed(value: object): unknown {
  const isBoxed =
    value instanceof Date
      ? Number.isNaN(value.getTime())
      : [String, Number, Boolean, BigInt, Symbol].some((type) => value instanceof type)
  return isBoxed ? value.valueOf() : undefined
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function'
}

/** Doesn't use the list's own iterator, which may be another one. */
function copyList(items: readonly unknown[], path: string, copy: Copy): JsonValue {
  return copyItems(Array.prototype.values.call(items), path, copy, items.length)
}

/** Copies items up to the limit. The total number of an iterable's items stays unknown, because it may be endless. */
function copyItems(items: Iterable<unknown>, path: string, copy: Copy, total?: number): JsonValue {
  const list: JsonValue[] = []
  for (const item of items) {
    if (copy.left <= 0) {
      list.push(truncatedMark(total ?? `more than ${list.length}`, 'item'))
      return tagged('truncated', list, path, copy)
    }
    list.push(copyValue(item, `${path}/${list.length}`, copy))
  }
  return list
}

function copyRecord(entries: readonly (readonly [string, unknown])[], path: string, copy: Copy): JsonValue {
  const record = new Map<string, JsonValue>()
  const uses = new Map<string, number>()
  for (const [key, member] of entries) {
    if (member === undefined) continue
    if (copy.left <= textLength(key)) {
      record.set(freeName('…', record, uses), truncatedMark(entries.length, 'key'))
      return tagged('truncated', Object.fromEntries(record), path, copy)
    }
    const name = freeName(key.toWellFormed(), record, uses)
    const place = `${path}/${pointerSegment(name)}`
    copy.left -= textLength(name) || 1
    record.set(name, copyValue(member, place, copy))
    if (name !== key) tagged('converted', name, place, copy)
  }
  // `Object.fromEntries` defines properties, so `__proto__` becomes an ordinary key.
  return Object.fromEntries(record)
}

/** Returns a key that isn't taken yet: `key`, `key (2)`. */
function freeName(key: string, taken: ReadonlyMap<string, unknown>, uses: Map<string, number>): string {
  let name = key
  while (taken.has(name)) {
    const use = (uses.get(key) ?? 1) + 1
    uses.set(key, use)
    name = `${key} (${use})`
  }
  return name
}

/**
 * Records a tag and returns the value, whose text isn't counted yet. The number of recorded tags is limited, except that of `truncated`:
 * there are at most as many as levels.
 */
function tagged<Value>(tag: OutputTagName, value: Value, path: string, copy: Copy): Value {
  copy.left -= tag === 'converted' ? 1 : lengthOf(value)
  if (copy.tags.length < MAX_TAGS || tag === 'truncated') copy.tags.push({ tag, path })
  return value
}
