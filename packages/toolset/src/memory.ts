/** A key-value memory as a toolset: what one agent stores, it can find again. */

import * as Type from 'typebox'
import { method } from './method.ts'
import { Toolset } from './toolset.ts'

const key = Type.String({ minLength: 1, description: 'Name of the entry' })

/** Entries live as long as the instance and are seen by nobody else. */
export class MemoryToolset extends Toolset {
  readonly name = 'memory'
  readonly #entries = new Map<string, string>()

  readonly store = method({
    description: 'Store a value under a key, in place of an earlier one.',
    effect: 'idempotent',
    args: Type.Object({ key, value: Type.String({ description: 'Text to remember' }) }),
    execute: ({ key, value }) => {
      this.#entries.set(key, value)
      return `Stored '${key}' successfully`
    },
  })

  readonly retrieve = method({
    description: 'Retrieve the value stored under a key; null when there is none.',
    effect: 'read',
    args: Type.Object({ key }),
    execute: ({ key }) => this.#entries.get(key) ?? null,
  })

  readonly list = method({
    description: 'List all stored keys.',
    effect: 'read',
    args: Type.Object({}),
    execute: () => [...this.#entries.keys()],
  })

  readonly search = method({
    description: 'Search the entries whose key or value contains a text, in any case.',
    effect: 'read',
    args: Type.Object({ text: Type.String({ minLength: 1, description: 'Text to look for' }) }),
    execute: ({ text }) => {
      const needle = text.toLowerCase()
      return [...this.#entries]
        .filter((entry) => entry.some((part) => part.toLowerCase().includes(needle)))
        .map(([key, value]) => ({ key, value }))
    },
  })

  readonly delete = method({
    description: 'Delete the entry under a key; says whether there was one.',
    effect: 'idempotent',
    args: Type.Object({ key }),
    execute: ({ key }) => ({ deleted: this.#entries.delete(key) }),
  })

  readonly clear = method({
    description: 'Delete all entries; says how many there were.',
    effect: 'destructive',
    args: Type.Object({}),
    execute: () => {
      const cleared = this.#entries.size
      this.#entries.clear()
      return { cleared }
    },
  })
}
