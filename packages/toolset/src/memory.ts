/** A key-value memory for an agent. */
import * as Type from 'typebox'
import { Entries, type Entry } from './memory/entries.ts'
import { type MemoryLimits, toLimits } from './memory/limits.ts'
import { method } from './toolset/method.ts'
import { Toolset } from './toolset/toolset.ts'

export type { MemoryReason } from './memory/limits.ts'

export interface MemoryOptions<Name extends string = string> extends MemoryLimits {
  /** Prefix for the tool names. Default: `memory`. */
  readonly name?: Name | undefined
  /** Returns the current time in milliseconds since 1970. Pass a function in tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

const key = Type.String({ description: 'Name of the entry' })
const value = Type.String({ description: 'Text to remember' })
const tag = Type.String({ minLength: 1, description: 'Only entries with this tag' })
const tags = Type.Array(Type.String({ minLength: 1 }), { maxItems: 32 })

/**
 * Stores text under keys. Entries live as long as the instance, and other instances don't share them, so create one instance per user. A
 * full memory refuses new entries (`reason: 'memory_quota'`). It never removes old ones.
 */
export class MemoryToolset<Name extends string = 'memory'> extends Toolset {
  readonly name: Name
  readonly #entries: Entries
  readonly #now: () => number

  constructor({ name = 'memory' as Name, now = Date.now, ...limits }: MemoryOptions<Name> = {}) {
    super()
    this.name = name
    this.#now = now
    this.#entries = new Entries(toLimits(limits))
  }

  readonly store = method({
    description: 'Store a value under a key. Replaces an earlier value.',
    effect: 'idempotent',
    args: Type.Object({
      key,
      value,
      tags: Type.Optional(Type.Union([tags, Type.Null()], { description: 'Tags to group entries by' })),
    }),
    execute: ({ key, value, tags }) => {
      const now = this.#now()
      const entry: Entry = {
        key,
        value,
        tags: Object.freeze([...(tags ?? [])]),
        createdAt: now,
        updatedAt: now,
        accessCount: 0,
        lastAccessed: null,
      }
      this.#entries.set(entry)
      return `Stored '${key}' successfully`
    },
  })

  readonly retrieve = method({
    description: 'Retrieve the value stored under a key. Returns null if there is none.',
    effect: 'read',
    args: Type.Object({ key }),
    execute: ({ key }) => {
      const entry = this.#entries.get(key)
      if (entry === undefined) return null
      entry.accessCount += 1
      entry.lastAccessed = this.#now()
      return entry.value
    },
  })

  readonly search = method({
    description: 'Search the entries whose key or value contains a string, ignoring case.',
    effect: 'read',
    args: Type.Object({
      text: Type.String({ minLength: 1, description: 'Text to find, taken literally' }),
      scope: Type.Optional(Type.Enum(['keys', 'values', 'both'], { description: 'Where to search. Default: both' })),
    }),
    execute: ({ text, scope = 'both' }) => {
      const needle = text.toLowerCase()
      const contains = (part: string) => part.toLowerCase().includes(needle)
      return this.#entries
        .all()
        .filter((entry) => (scope !== 'values' && contains(entry.key)) || (scope !== 'keys' && contains(entry.value)))
        .map(({ key, value, tags }) => ({ key, value, tags }))
    },
  })

  readonly list = method({
    description: 'List all stored keys.',
    effect: 'read',
    args: Type.Object({ tag: Type.Optional(tag) }),
    execute: ({ tag }) =>
      this.#entries
        .all()
        .filter((entry) => tag === undefined || entry.tags.includes(tag))
        .map((entry) => entry.key),
  })

  readonly update = method({
    description: 'Change the value of an existing entry, or append a line to it. Never creates an entry.',
    effect: 'write',
    args: Type.Object({
      key,
      value,
      append: Type.Optional(
        Type.Boolean({ description: 'Append the value as a new line. Default: false, which replaces the earlier value' }),
      ),
    }),
    execute: ({ key, value, append = false }) => {
      const entry = this.#entries.get(key)
      if (entry === undefined) return { updated: false, reason: 'not found' } as const
      this.#entries.set({ ...entry, value: append ? `${entry.value}\n${value}` : value, updatedAt: this.#now() })
      return { updated: true } as const
    },
  })

  readonly delete = method({
    description: 'Delete the entry under a key. Returns whether it existed.',
    effect: 'idempotent',
    args: Type.Object({ key }),
    execute: ({ key }) => ({ deleted: this.#entries.delete(key) }),
  })

  readonly clear = method({
    description: 'Delete all entries. Returns how many there were.',
    effect: 'destructive',
    args: Type.Object({}),
    execute: () => {
      const cleared = this.#entries.size
      this.#entries.clear()
      return { cleared }
    },
  })

  readonly count = method({
    description: 'Count the stored entries.',
    effect: 'read',
    args: Type.Object({}),
    execute: () => ({ count: this.#entries.size }),
  })

  readonly getMetadata = method({
    description: 'Describe an entry: its tags, its timestamps, and how often it was retrieved. Returns null if there is none.',
    effect: 'read',
    args: Type.Object({ key }),
    execute: ({ key }) => {
      const entry = this.#entries.get(key)
      return entry === undefined ? null : describe(entry)
    },
  })
}

/** Formats the metadata of an entry for a model. */
function describe({ key, value, tags, createdAt, updatedAt, accessCount, lastAccessed }: Entry) {
  return {
    key,
    tags,
    value_length: value.length,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    access_count: accessCount,
    last_accessed: lastAccessed === null ? null : new Date(lastAccessed).toISOString(),
  }
}
