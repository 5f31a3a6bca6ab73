/** Parses the arguments of one call while they stream: a growing value, and the changes of each delta. */
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
  /** The tool's `args`: sets the types of the value, and coerces the result as in `parseArguments`. */
  readonly schema?: TObject<P> | undefined
}

export interface ArgumentStream<Value = Record<string, unknown>> {
  /**
   * The value so far: one object, filled in place. Strings grow; a number, a literal or a key appears when it is complete. Use it
   * for display, not for execution: its types follow the schema but aren't validated, and its end may be missing. Empty if the
   * text isn't an object.
   */
  readonly value: PartialDeep<Value>
  /** Returns a copy of the current value. */
  snapshot(): PartialDeep<Value>
  /** Reads the next piece of the text, of any length, and returns the changes. All pieces together take linear time. */
  push(delta: string): readonly ArgumentChange[]
  /**
   * Calls the listener once, when the value at a JSON pointer (`/city`, `/rows/0`, empty for all) is complete, so that work on it
   * can start early. It is called by `end` at the latest, and never if the text was refused before. For a repeated key, the first
   * value is reported. Returns a function that removes the listener. A listener must not push or end; errors that it throws are
   * rethrown by those methods, after all listeners were called.
   */
  onComplete(pointer: string, listener: (value: unknown) => void): () => void
  /**
   * Ends the text, and returns the same result as `parseArguments` for the whole text. Later calls return the same result, and `push`
   * throws. The value equals the result's, unless the text is encoded twice or contains an object twice: then only the result is correct.
   */
  end(options?: EndOptions): ParsedArguments
}

export interface EndOptions {
  /**
   * The finish reason of the reply. If it has several calls, only the last one can be truncated: pass `complete` for the others.
   */
  readonly finishReason?: FinishReason | undefined
  /** As in `RecoverOptions`. Default: derived from `finishReason`. */
  readonly complete?: boolean | undefined
}

const NOTHING: readonly never[] = Object.freeze([])

/**
 * Creates a parser for the streamed arguments of one call. The value doesn't grow while only the end of the text can resolve an ambiguity.
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
  /** The whole text, for a refusal; slightly more than the maximum length is enough to detect that it is too long. */
  readonly #text = new JoinedText()
  /** Held back until the rest of the character arrives. */
  #half = ''
  readonly #listeners = new Listeners()
  #result: ParsedArguments | undefined

  constructor(options: ArgumentStreamOptions<TProperties>) {
    this.#options = options
    this.#limits = toLimits(options)
    // Only at the end is it known whether a trailing number is complete.
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
        if (result.ok) return scanner.hasUnsafeNumber ? withLostDigits(result, this.#text.join(), schema) : result
      }
    }
    // Refused, or not an object. The refusal quotes the text, which may be valid JSON as a whole.
    return parseArguments(this.#text.join(), { ...this.#options, complete })
  }
}

const PIECES = 1_024

/** Text that arrives in many small pieces and is stored in a few large ones. */
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

/** True for the first half of a surrogate pair, which can't be displayed alone. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/**
 * The type of a partially received value. Every property may be missing, at every level. A value that isn't a list or an object is either
 * present or missing.
 */
export type PartialDeep<T> = T extends readonly (infer Item)[]
  ? readonly PartialDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T
