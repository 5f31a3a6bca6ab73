/** What a tool returned, as a bounded JSON value: whatever it was, it can be shown, recorded and sent. */
import { MAX_DEPTH } from '../args/faults.ts'
import { isInstance } from '../call/own-copy.ts'
import { pointerSegment } from '../schema/pointer.ts'
import { classOf, descriptionOf } from './output-words.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * What was changed in an output:
 * - `converted`: JSON has no such value; written as its nearest one (`10n` → `"10"`, a `Map` with text keys → an object, any
 *   other `Map` → a list of pairs, a `Set` or another iterable → a list, `NaN` or an invalid `Date` → `null`, half of a
 *   surrogate pair → `\uFFFD`, a key that is there already → `key (2)`);
 * - `described`: cannot be written as JSON; in its place stands a text such as `[binary, 1024 bytes]`, `[function]`, or the
 *   class of an instance that shows no members, `[Response]`;
 * - `circular`: a reference to a value that holds it; in its place stands `[circular]`;
 * - `too_deep`: below 512 levels; in its place stands `[too deep]`;
 * - `truncated`: over the limit; the marker `[cut off: … in all]` says how much there was.
 */
export type OutputTagName = 'converted' | 'described' | 'circular' | 'too_deep' | 'truncated'

export interface OutputTag {
  readonly tag: OutputTagName
  /** JSON pointer into the output. */
  readonly path: string
}

export interface BoundedOutput {
  readonly value: unknown
  readonly tags: readonly OutputTag[]
}

/** Characters of JSON that an output may have, about; a tool that returns more should page or take a limit. */
export const MAX_OUTPUT_LENGTH = 1_000_000
const MAX_TAGS = 100
const NO_TAGS: readonly OutputTag[] = Object.freeze([])

/** The value itself when it is plain JSON within the limit, else a copy that is, with a tag for each change. Never throws. */
export function boundOutput(value: unknown, maxLength = MAX_OUTPUT_LENGTH): BoundedOutput {
  const budget = { left: maxLength }
  try {
    if (isPlain(value, 0, budget)) return { value, tags: NO_TAGS }
  } catch {
    // A getter or a proxy that throws: the copy describes it where it stands.
  }
  const copy: Copy = { left: maxLength, tags: [], ancestors: new Set() }
  return { value: copyValue(value ?? null, '', copy), tags: copy.tags }
}

interface Budget {
  left: number
}

/** True for what `JSON.stringify` writes as it is. Bounded in depth and size, so circular values end as well. */
function isPlain(value: unknown, depth: number, budget: Budget): boolean {
  budget.left -= typeof value === 'string' ? value.length + 1 : 1
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
    budget.left -= key.length
    const member: unknown = (value as Record<string, unknown>)[key]
    // JSON leaves such a member out; so does the reader of the value.
    if (member !== undefined && !isPlain(member, depth + 1, budget)) return false
    if (!key.isWellFormed()) return false
  }
  return budget.left >= 0
}

interface Copy extends Budget {
  readonly tags: OutputTag[]
  readonly ancestors: Set<object>
}

function copyValue(value: unknown, path: string, copy: Copy): JsonValue {
  copy.left -= 1
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

function copyText(text: string, path: string, copy: Copy): string {
  const room = Math.max(0, copy.left)
  copy.left -= text.length
  const whole = text.length <= room
  const kept = whole ? text : text.slice(0, room)
  const wellFormed = kept.toWellFormed()
  if (!whole)
    return tagged('truncated', `${wellFormed.replace(/\uFFFD$/, '')}… [cut off: ${text.length} characters in all]`, path, copy)
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
  // Before `toJSON` is asked, which bytes and errors may have as well.
  const description = descriptionOf(value)
  if (description !== undefined) return tagged('described', description, path, copy)
  const scalar = unboxed(value)
  if (scalar !== undefined) return copyValue(scalar, path, copy)
  if (value instanceof Date && Number.isNaN(value.getTime())) return tagged('converted', null, path, copy)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const replacement: unknown = value.toJSON()
    return replacement === value ? copyRecord(Object.entries(value), path, copy) : copyValue(replacement, path, copy)
  }
  if (Array.isArray(value)) return copyList(value, path, copy)
  // By the classes' own methods: those of a subclass may never end.
  if (value instanceof Set) return tagged('converted', copyList([...Set.prototype.values.call(value)], path, copy), path, copy)
  if (value instanceof Map) {
    const entries = [...Map.prototype.entries.call(value)]
    const isRecord = entries.every(([key]) => typeof key === 'string')
    return tagged('converted', isRecord ? copyRecord(entries, path, copy) : copyList(entries, path, copy), path, copy)
  }
  const entries = Object.entries(value)
  if (entries.length > 0) return copyRecord(entries, path, copy)
  if (isIterable(value)) return tagged('converted', copyIterable(value, path, copy), path, copy)
  return isInstance(value) ? tagged('described', classOf(value), path, copy) : {}
}

/** What `new String('a')` and its like hold. */
function unboxed(value: object): unknown {
  const isBoxed = [String, Number, Boolean, BigInt, Symbol].some((type) => value instanceof type)
  return isBoxed ? value.valueOf() : undefined
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function'
}

function copyList(items: readonly unknown[], path: string, copy: Copy): JsonValue {
  const list: JsonValue[] = []
  for (let index = 0; index < items.length; index++) {
    if (copy.left <= 0) {
      list.push(`[cut off: ${items.length} items in all]`)
      return tagged('truncated', list, path, copy)
    }
    list.push(copyValue(items[index], `${path}/${index}`, copy))
  }
  return list
}

/** An iterable may have no end, so nobody can say how much there was. */
function copyIterable(items: Iterable<unknown>, path: string, copy: Copy): JsonValue {
  const list: JsonValue[] = []
  for (const item of items) {
    if (copy.left <= 0) {
      list.push(`[cut off: more than ${list.length} items in all]`)
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
    if (copy.left <= key.length) {
      record.set(freeName('…', record, uses), `[cut off: ${entries.length} members in all]`)
      return tagged('truncated', Object.fromEntries(record), path, copy)
    }
    const name = freeName(key.toWellFormed(), record, uses)
    const place = `${path}/${pointerSegment(name)}`
    copy.left -= name.length
    record.set(name, copyValue(member, place, copy))
    if (name !== key) tagged('converted', name, place, copy)
  }
  // Object.fromEntries defines members: a key such as __proto__ stays a key.
  return Object.fromEntries(record)
}

/** Keys that become the same stay apart: `key`, `key (2)`. */
function freeName(key: string, taken: ReadonlyMap<string, unknown>, uses: Map<string, number>): string {
  let name = key
  while (taken.has(name)) {
    const use = (uses.get(key) ?? 1) + 1
    uses.set(key, use)
    name = `${key} (${use})`
  }
  return name
}

/** The value, and what was done to it on the list, which is bounded like the value. */
function tagged<Value>(tag: OutputTagName, value: Value, path: string, { tags }: Copy): Value {
  if (tags.length < MAX_TAGS) tags.push({ tag, path })
  return value
}
