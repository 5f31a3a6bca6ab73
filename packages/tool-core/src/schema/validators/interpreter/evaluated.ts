/** Records which properties and items a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
import type { SchemaNode } from '../../schema.ts'
import type { Take } from '../equal.ts'

/** True for a part of a schema that depends on what the other parts have evaluated. */
export function isUnevaluated({ unevaluatedProperties, unevaluatedItems }: SchemaNode): boolean {
  return unevaluatedProperties !== undefined || unevaluatedItems !== undefined
}

export class Evaluated {
  readonly #take: Take | undefined
  readonly #names = new Set<string>()
  readonly #items = new Set<number>()
  #hasAllNames = false
  /** All items below this index have been evaluated. */
  #below = 0

  /** `take` counts the steps. Without it, nothing is recorded. */
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

  /** Adds what another schema has evaluated. Returns false if `other` is undefined, because the value is then invalid. */
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
