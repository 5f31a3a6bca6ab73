/** Parses a call's arguments while they stream. Builds a growing value, and reports the changes that each piece of text makes. */
import type { Static, TObject, TProperties } from 'typebox'
import { isRecord } from '../is-record.ts'
import { isWhole } from '../protocol/finish.ts'
import type { FinishReason } from '../protocol/protocol.ts'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { Listeners } from './listeners.ts'
import { parseArguments, toResult, withLostDigits } from './parse.ts'
import { EXCERPT } from './refusal.ts'
import type { ArgumentChange, ParsedArguments } from './result.ts'
import { Scanner } from './scanner/scanner.ts'

export interface ArgumentStreamOptions<P extends TProperties> extends Omit<RecoverOptions, 'complete'> {
  /** The tool's `args` schema. Determines the type of `value`. The result of `end` is coerced to it, as in `parseArguments`. */
  readonly schema?: TObject<P> | undefined
}

export interface ArgumentStream<Value = Record<string, unknown>> {
  /**
   * The value so far. It is always the same object, filled in place. Strings grow as they arrive. Numbers, literals and keys
   * appear once they are complete. Use it only for display: it may be incomplete and isn't validated against the schema. It stays
   * empty if the text isn't an object.
   */
  readonly value: PartialDeep<Value>
  /** Returns a copy of the current value. */
  snapshot(): PartialDeep<Value>
  /** Parses the next piece of text, of any length. Returns the changes that it made. All pieces together take linear time. */
  push(delta: string): readonly ArgumentChange[]
  /**
   * Calls the listener once, as soon as the value at a JSON pointer is complete. This allows work on the value to start early.
   * Examples of pointers: `/city`, `/rows/0`, or an empty string for all arguments. `end` calls the remaining listeners, unless
   * the text is refused. If a key is repeated, the listener receives its first value. Returns a function that removes the
   * listener. A listener must not call `push` or `end`. If listeners throw, all of them are still called; then `push` or `end`
   * throws the first error.
   */
  onComplete(pointer: string, listener: (value: unknown) => void): () => void
  /**
   * Ends the text. Returns the same result as `parseArguments` for the whole text. Calling `end` again returns the same result;
   * calling `push` afterwards throws. Execute the call with this result instead of `value`: only the result is coerced to the
   * schema, and `value` is wrong if the text is encoded twice or contains an object twice.
   */
  end(options?: EndOptions): ParsedArguments
}

export interface EndOptions {
  /** Finish reason of the reply. Only the last of several calls can be truncated, so pass `complete: true` for the others. */
  readonly finishReason?: FinishReason | undefined
  /** See `RecoverOptions`. Default: derived from `finishReason`. */
  readonly complete?: boolean | undefined
}

const NOTHING: readonly never[] = Object.freeze([])

/**
 * Creates a parser for the arguments of one call. If a part of the text is ambiguous, the value stops growing until later text
 * resolves it.
 */
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
  /** The whole text, because `end` may have to parse it again. Stops growing shortly after the maximum length. */
  readonly #text = new JoinedText()
  /** First half of a surrogate pair. Held back until the second half arrives. */
  #half = ''
  readonly #listeners = new Listeners()
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
    if (this.#result !== undefined) throw new TypeError('push: the stream has ended. Create another one with argumentStream().')
    this.#listeners.assertQuiet('push')
    const piece = this.#half === '' ? delta : this.#half + delta
    this.#half = isHalf(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : ''
    const changes = this.#read(this.#half === '' ? piece : piece.slice(0, -1))
    if (this.#listeners.isEmpty) return changes
    this.#listeners.notify(changes)
    return changes
  }

  onComplete(pointer: string, listener: (value: unknown) => void): () => void {
    return this.#listeners.add(pointer, listener)
  }

  end({ finishReason, complete = isWhole(finishReason) }: EndOptions = {}): ParsedArguments {
    this.#listeners.assertQuiet('end')
    if (this.#result !== undefined) return this.#result
    const result = this.#end(complete)
    this.#result = result
    this.#text.clear()
    if (result.ok) this.#listeners.notifyRest(result.value)
    return result
  }

  #read(piece: string): readonly ArgumentChange[] {
    const { maxLength } = this.#limits
    if (piece === '' || this.#text.length > maxLength + EXCERPT) return NOTHING
    this.#text.add(piece)
    if (this.#text.length > maxLength) return NOTHING
    this.#scanner.push(piece)
    return this.#scanner.builder.takeChanges() ?? NOTHING
  }

  #end(complete: boolean | undefined): ParsedArguments {
    this.#read(this.#half)
    const scanner = this.#scanner
    if (complete !== false && this.#text.length <= this.#limits.maxLength) {
      const value = scanner.finish(complete)
      if (scanner.refused === undefined && isRecord(value)) {
        const { schema } = this.#options
        const result = toResult('', value, [...scanner.cursor.tags], schema)
        if (result.ok) return scanner.hasUnsafeNumber ? withLostDigits(result, this.#text.join()) : result
      }
    }
    // The scanner refused the text, or the value isn't an object. The whole text is parsed again, because it may still be valid
    // JSON, and a refusal needs an excerpt.
    return parseArguments(this.#text.join(), { ...this.#options, complete })
  }
}

const PIECES = 1_024

/** Text that arrives in many small pieces. Stored as a few large strings. */
class JoinedText {
  length = 0
  readonly #blocks: string[] = []
  #pieces: string[] = []

  add(piece: string): void {
    this.length += piece.length
    if (this.#pieces.push(piece) < PIECES) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  join(): string {
    return this.#blocks.join('') + this.#pieces.join('')
  }

  clear(): void {
    this.#blocks.length = 0
    this.#pieces = []
  }
}

/** Returns true for the first half of a surrogate pair, which can't be displayed on its own. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/**
 * The type of an incomplete value. At every level, any property may be missing. Types other than lists and objects don't change.
 */
export type PartialDeep<T> = T extends readonly (infer Item)[]
  ? readonly PartialDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T
