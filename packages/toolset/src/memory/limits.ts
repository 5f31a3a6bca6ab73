/** Limits of a memory. */
import { ToolError } from '@x/tool-core'
import { assertOption } from '../option.ts'

export interface MemoryLimits {
  /** Maximum number of entries. Default: 10,000. */
  readonly maxEntries?: number | undefined
  /** Maximum length of a key or a tag, in characters. Default: 256. */
  readonly maxKeyLength?: number | undefined
  /** Maximum length of a value, in characters. Default: 100,000. */
  readonly maxValueLength?: number | undefined
  /** Maximum size of all keys, values and tags together, in bytes of UTF-8. Default: 16 MiB. */
  readonly maxBytes?: number | undefined
}

export type Limits = Record<keyof MemoryLimits, number>

/** The parts of an entry that count toward the limits. */
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

/** Fills in the default limits. Throws `invalid_definition` for a limit that is neither a whole number above 0 nor `Infinity`. */
export function toLimits(given: MemoryLimits): Limits {
  const limits = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof MemoryLimits)[]) {
    const limit = given[name]
    if (limit === undefined) continue
    const isLegal = limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit > 0)
    assertOption(isLegal, 'MemoryToolset', name, 'a whole number above 0, or Infinity', limit)
    limits[name] = limit
  }
  return limits
}

/**
 * Returns the size in bytes of the memory after `entry` is added. `rest.entries` includes the new entry, but `rest.bytes` doesn't. If a
 * limit would be exceeded, throws `memory_quota` with a message that names the limit. Checks the lengths first, because that is cheap.
 */
export function assertFits(entry: Texts, rest: { entries: number; bytes: number }, limits: Limits): number {
  const { maxEntries, maxKeyLength, maxValueLength, maxBytes } = limits
  const { key, value, tags } = entry
  if (key.length > maxKeyLength)
    throw quota(`The key is too long: maxKeyLength is ${maxKeyLength} characters. Use a shorter key.`)
  if (tags.some((tag) => tag.length > maxKeyLength)) {
    throw quota(`A tag is too long: maxKeyLength is ${maxKeyLength} characters. Use shorter tags.`)
  }
  if (value.length > maxValueLength) {
    throw quota(
      `The value is too long: it would have ${value.length} characters, and maxValueLength is ${maxValueLength}. Store less.`,
    )
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

/**
 * The `reason` of the `ToolError('execution_failed')` that a `MemoryToolset` throws. A model reads the message.
 *
 * - `memory_quota`: an entry or the whole memory would exceed a limit that the message names. Nothing was stored. Fix: raise that limit,
 *   shorten the entry, or delete other entries.
 */
export type MemoryReason = 'memory_quota'

function quota(message: string): ToolError {
  return new ToolError('execution_failed', `${message} Nothing was stored.`, {
    reason: 'memory_quota' satisfies MemoryReason,
  })
}
