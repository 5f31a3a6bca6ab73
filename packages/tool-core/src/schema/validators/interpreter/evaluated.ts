/** Records which properties and items a schema has evaluated. `unevaluatedProperties` and `unevaluatedItems` need this record. */
import type { SchemaNode } from '../../schema.ts'
import type { Take } from '../equal.ts'

/** True if a part of a schema depends on what the other parts have evaluated. */
export function isUnevaluated({ unevaluatedProperties, unevaluatedItems }: SchemaNode): boolean {
  return unevaluatedProperties !== undefined || unevaluatedItems !== undefined
}

export class Evaluated {
  readonly #take: Take | undefined
  readonly #names = new Set<string>()
  readonly #items = new Set<number>()
  #hasAllNames = false
  /** All items with a lower index have been evaluated. */
  #below = 0

  /** `take` counts the steps. Without `take`, nothing is recorded. */
  constructor(take?: Take) {
    this.#take = take
  }

  addName(name: string): void {
    if (this.#take !== undefined && !this.#hasAllNames) this.#names.add(name)
  }

  addAllNames(): void {
    if (this.#take !== undefined) this.#hasAllNames = true
  }

  addItem(index: number): void {
    if (this.#take !== undefined && index >= this.#below) this.#items.add(index)
  }

  addItemsBelow(index: number): void {
    if (this.#take !== undefined) this.#below = Math.max(this.#below, index)
  }

  /** Adds what another schema has evaluated. Returns false if `other` is undefined, which means that the value is invalid. */
  addAll(other: Evaluated | undefined): boolean {
    if (other === undefined) return false
    if (this.#take === undefined) return true
    this.#take(STEPS_OF_AN_ENTRY * (other.#names.size + other.#items.size))
    if (other.#hasAllNames) this.#hasAllNames = true
    else for (const name of other.#names) this.addName(name)
    for (const index of other.#items) this.addItem(index)
    this.addItemsBelow(other.#below)
    return true
  }

  hasName(name: string): boolean {
    return this.#hasAllNames || this.#names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.#below || this.#items.has(index)
  }
}

const STEPS_OF_AN_ENTRY = 5
