/** The arguments of one call while their text streams: a value that grows, and what each delta did to it. */
import type { Static, TObject, TProperties } from 'typebox'
import type { Finish } from '../protocol.ts'
import { isWhole } from './finish.ts'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { isObject, parseArguments, toResult } from './parse.ts'
import type { PartialDeep } from './partial.ts'
import type { ParsedArguments } from './result.ts'
import { Scanner } from './scanner.ts'

/** What one delta did at one place. */
export interface ArgumentChange {
  /** JSON pointer of the place; empty for the arguments themselves. */
  readonly pointer: string
  /** What was added to the text at this place; undefined for what is no text. */
  readonly text: string | undefined
  /** True when the text of this value is over. What follows may still make the whole unreadable. */
  readonly isComplete: boolean
  /** The value as it is now. */
  readonly value: unknown
}

export interface ArgumentStreamOptions<P extends TProperties> extends Omit<RecoverOptions, 'complete'> {
  /** The tool's `args`: types the value, and leads the result as it does in `parseArguments`. */
  readonly schema?: TObject<P> | undefined
}

export interface ArgumentStream<Value = Record<string, unknown>> {
  /**
   * What has come so far: one object, filled in place. Texts grow; a number, a literal or a key is there when it is whole. For
   * display, not for execution: it is not checked against the schema, and the end may be missing.
   */
  readonly value: PartialDeep<Value>
  /** A copy of the value as it is now. */
  snapshot(): PartialDeep<Value>
  /** The next piece of the text, of any length. Time linear in the piece. */
  push(delta: string): readonly ArgumentChange[]
  /**
   * Calls the listener when the value at a JSON pointer is whole, so that work on it may start early. Returns what ends this.
   * What the listener throws comes out of `push` or `end`.
   */
  onComplete(pointer: string, listener: (value: unknown) => void): () => void
  /** The same as `parseArguments` of the whole text. `finish` is what the provider said. */
  end(options?: { readonly finish?: Finish | undefined }): ParsedArguments
}

const NOTHING: readonly never[] = Object.freeze([])
/** As long as a refusal quotes. */
const EXCERPT = 64

/** Reads the arguments of one call as they stream. The value freezes where only the end of the text can tell what is meant. */
export function argumentStream<P extends TProperties>(
  options: ArgumentStreamOptions<P> = {},
): ArgumentStream<TProperties extends P ? Record<string, unknown> : Static<TObject<P>>> {
  return new Stream(options as ArgumentStreamOptions<TProperties>) as unknown as ArgumentStream<never>
}

class Stream implements ArgumentStream {
  readonly value: Record<string, unknown> = {}
  readonly #options: ArgumentStreamOptions<TProperties>
  readonly #limits: Limits
  readonly #scanner: Scanner
  /** All of the text, for a refusal; a little more than the longest text is enough to tell that it is too long. */
  readonly #deltas: string[] = []
  #length = 0
  readonly #listeners = new Map<string, Set<(value: unknown) => void>>()
  #result: ParsedArguments | undefined

  constructor(options: ArgumentStreamOptions<TProperties>) {
    this.#options = options
    this.#limits = toLimits(options)
    this.#scanner = new Scanner(this.#limits, this.value)
  }

  snapshot(): Record<string, unknown> {
    return structuredClone(this.value)
  }

  push(delta: string): readonly ArgumentChange[] {
    if (this.#result !== undefined) throw new TypeError('push: the stream has ended. Make another one with argumentStream().')
    if (delta === '' || this.#length > this.#limits.maxLength + EXCERPT) return NOTHING
    this.#deltas.push(delta)
    this.#length += delta.length
    if (this.#length > this.#limits.maxLength) return NOTHING
    this.#scanner.push(delta)
    return this.#takeChanges()
  }

  onComplete(pointer: string, listener: (value: unknown) => void): () => void {
    const listeners = this.#listeners.get(pointer) ?? new Set()
    this.#listeners.set(pointer, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  end({ finish }: { readonly finish?: Finish | undefined } = {}): ParsedArguments {
    this.#result ??= this.#end(isWhole(finish))
    return this.#result
  }

  #end(complete: boolean | undefined): ParsedArguments {
    const scanner = this.#scanner
    if (complete !== false && this.#length <= this.#limits.maxLength) {
      const value = scanner.finish(complete)
      this.#takeChanges()
      if (scanner.refused === undefined && isObject(value)) return toResult(value, [...scanner.cursor.tags], this.#options.schema)
    }
    // Refused, or another kind of value: as a whole, the text can still be one that JSON.parse takes.
    return parseArguments(this.#deltas.join(''), { ...this.#options, complete })
  }

  /** Hands them out, and tells those who wait for them. */
  #takeChanges(): readonly ArgumentChange[] {
    const changes = this.#scanner.builder.takeChanges()
    if (changes === undefined) return NOTHING
    if (this.#listeners.size > 0) for (const change of changes) if (change.isComplete) this.#tell(change)
    return changes
  }

  #tell({ pointer, value }: ArgumentChange): void {
    for (const listener of [...(this.#listeners.get(pointer) ?? [])]) listener(value)
  }
}
