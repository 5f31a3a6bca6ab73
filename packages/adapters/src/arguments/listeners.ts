/** Stores the listeners of an argument stream by JSON pointer. */
import { segmentsOf } from '@x/tool-core'
import type { ArgumentChange } from './result.ts'

type Listener = (value: unknown) => void

export class Listeners {
  readonly #waiting = new Map<string, Set<Listener>>()
  #isNotifying = false

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /**
   * Adds a listener. Returns a function that removes it. Throws a `TypeError` for an invalid JSON pointer, because it would never
   * match.
   */
  add(pointer: string, listener: Listener): () => void {
    if (pointer !== '' && !pointer.startsWith('/')) {
      throw new TypeError(
        `onComplete: ${JSON.stringify(pointer)} is not a JSON pointer. Write "/${pointer}", or "" for all arguments.`,
      )
    }
    const listeners = this.#waiting.get(pointer) ?? new Set()
    this.#waiting.set(pointer, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /** Throws a `TypeError` while a listener of the stream is running, because a listener must not call `push` or `end`. */
  assertQuiet(method: string): void {
    if (this.#isNotifying)
      throw new TypeError(`${method}() can't be called from a listener of the same stream. Defer it, e.g. with setTimeout.`)
  }

  notify(changes: readonly ArgumentChange[]): void {
    const due = changes.filter(({ isComplete, pointer }) => isComplete && this.#waiting.has(pointer))
    this.#notifyAll(due.map(({ pointer, value }) => [pointer, value]))
  }

  /** Calls each remaining listener whose pointer leads to a value. */
  notifyRest(value: unknown): void {
    this.#notifyAll(
      [...this.#waiting.keys()].flatMap((pointer) => valueAt(value, pointer).map((found) => [pointer, found] as const)),
    )
  }

  /** Calls each of these listeners once, even if one throws. Then throws the first error. */
  #notifyAll(due: readonly (readonly [pointer: string, value: unknown])[]): void {
    const errors: unknown[] = []
    this.#isNotifying = true
    for (const [pointer, value] of due) {
      const listeners = this.#waiting.get(pointer) ?? new Set()
      this.#waiting.delete(pointer)
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          errors.push(error)
        }
      }
    }
    this.#isNotifying = false
    if (errors.length > 0) throw errors[0]
  }
}

/** Returns a list with the value at a JSON pointer, or an empty list if there is none. */
function valueAt(root: unknown, pointer: string): readonly unknown[] {
  let value = root
  for (const key of segmentsOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return []
    value = (value as Record<string, unknown>)[key]
  }
  return [value]
}
