/** Writes the JSON text of arguments that arrive value by value. Emits pieces while the values arrive in the order of the text. */

export type Step = string | number

export interface PlacedValue {
  /** The JSON path of the value. */
  readonly path: string
  readonly steps: readonly Step[]
  readonly value: unknown
  /** True if the value is appended to the string at this path. */
  readonly appends: boolean
  /** True if more of the string will follow. */
  readonly hasMore: boolean
}

interface OpenContainer {
  /** The key or index of the container in its parent. */
  readonly step: Step | undefined
  readonly isList: boolean
  readonly written: Set<Step>
}

export class ArgsWriter {
  readonly #open: OpenContainer[] = []
  #openText: string | undefined
  #isLost = false

  /** Returns the next piece of the JSON text. */
  write(placed: PlacedValue): string {
    const piece = this.#isLost ? undefined : placed.appends ? this.#append(placed) : this.#place(placed)
    this.#isLost = piece === undefined
    return piece ?? ''
  }

  /** False if a value belongs before a position that has already been written. The emitted pieces then lack that value. */
  isWhole(): boolean {
    return !this.#isLost
  }

  /** Returns the closing brackets that are still missing. */
  close(): string {
    return this.#isLost ? '' : this.#leave(0)
  }

  #append({ path, value, hasMore }: PlacedValue): string | undefined {
    if (path !== this.#openText) return undefined
    if (!hasMore) this.#openText = undefined
    return JSON.stringify(value).slice(1, hasMore ? -1 : undefined)
  }

  #place({ path, steps, value, hasMore }: PlacedValue): string | undefined {
    if (this.#openText !== undefined) return undefined
    let piece = this.#open.length === 0 ? this.#enter(undefined, false) : ''
    let depth = 1
    while (depth < steps.length && this.#open[depth]?.step === steps[depth - 1]) depth++
    piece += this.#leave(depth)
    for (const [index, step] of steps.entries()) {
      if (index < depth - 1) continue
      const container = this.#open.at(-1) as OpenContainer
      if (container.written.has(step)) return undefined
      piece += `${container.written.size > 0 ? ',' : ''}${container.isList ? '' : `${JSON.stringify(String(step))}:`}`
      container.written.add(step)
      const next = steps[index + 1]
      if (next !== undefined) piece += this.#enter(step, typeof next === 'number')
    }
    const isOpen = hasMore && typeof value === 'string'
    if (isOpen) this.#openText = path
    return piece + JSON.stringify(value).slice(0, isOpen ? -1 : undefined)
  }

  #enter(step: Step | undefined, isList: boolean): string {
    this.#open.push({ step, isList, written: new Set() })
    return isList ? '[' : '{'
  }

  /** Closes all objects and lists below the given depth. */
  #leave(depth: number): string {
    const closed = this.#open.splice(depth).reverse()
    return closed.map(({ isList }) => (isList ? ']' : '}')).join('')
  }
}
