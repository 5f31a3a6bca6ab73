/** What a memory may hold at most. */
import { ToolError } from '@x/tool-core'

export interface MemoryLimits {
  /** Number of entries; 10,000 unless told. */
  readonly maxEntries?: number | undefined
  /** Characters of a key or a tag; 256 unless told. */
  readonly maxKeyLength?: number | undefined
  /** Characters of a value; 100,000 unless told. */
  readonly maxValueLength?: number | undefined
  /** Bytes of all keys, values and tags together, in UTF-8; 16 MiB unless told. */
  readonly maxBytes?: number | undefined
}

export type Limits = Record<keyof MemoryLimits, number>

/** What takes up room. */
export interface Texts {
  readonly key: string
  readonly value: string
  readonly tags: readonly string[]
}

const DEFAULTS: Limits = {
  maxEntries: 10_000,
  maxKeyLength: 256,
  maxValueLength: 100_000,
  maxBytes: 16 * 1024 * 1024,
}

/** Throws `invalid_definition` for a limit that is no number of at least 1; `Infinity` is one. */
export function toLimits(given: MemoryLimits): Limits {
  const limits = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof MemoryLimits)[]) {
    const limit = given[name]
    if (limit === undefined) continue
    if (typeof limit !== 'number' || !(limit >= 1)) {
      throw new ToolError('invalid_definition', `MemoryToolset: ${name} is ${String(limit)}. Give a number of at least 1.`)
    }
    limits[name] = limit
  }
  return limits
}

/**
 * The bytes of a memory once `entry` is in it. `rest` is the memory without it, but with its place counted.
 * Throws an error whose `reason` is `memory_quota` and which names the limit. Lengths come first: they cost nothing.
 */
export function assertFits(entry: Texts, rest: { entries: number; bytes: number }, limits: Limits): number {
  const { maxEntries, maxKeyLength, maxValueLength, maxBytes } = limits
  const { key, value, tags } = entry
  if (key.length > maxKeyLength) throw quota(`The key is too long: maxKeyLength is ${maxKeyLength} characters.`)
  if (tags.some((tag) => tag.length > maxKeyLength)) {
    throw quota(`A tag is too long: maxKeyLength is ${maxKeyLength} characters.`)
  }
  if (value.length > maxValueLength) {
    throw quota(`The value is too long: it would have ${value.length} characters, and maxValueLength is ${maxValueLength}.`)
  }
  if (rest.entries > maxEntries) throw quota(`The memory is full: maxEntries is ${maxEntries}. Delete entries first.`)
  const bytes = rest.bytes + sizeOf(entry)
  if (bytes > maxBytes) throw quota(`The memory is full: maxBytes is ${maxBytes}. Delete entries first, or store less.`)
  return bytes
}

export function sizeOf({ key, value, tags }: Texts): number {
  return [key, value, ...tags].reduce((sum, text) => sum + encoder.encode(text).length, 0)
}

const encoder = new TextEncoder()

function quota(message: string): ToolError {
  return new ToolError('execution_failed', `${message} Nothing was stored.`, { reason: 'memory_quota' })
}
