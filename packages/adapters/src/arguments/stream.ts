/** The arguments of one call while their text streams: a value that grows, and what each delta did to it. */
import type { Static, TObject, TProperties } from 'typebox'
import { isRecord } from '../is-record.ts'
import { isWhole } from '../protocol/finish.ts'
import type { FinishReason } from '../protocol/protocol.ts'
import { JoinedText } from './joined-text.ts'
import { type Limits, type RecoverOptions, toLimits } from './limits.ts'
import { Listeners } from './listeners.ts'
import { parseArguments, toResult, withLostDigits } from './parse.ts'
import { EXCERPT } from './refusal.ts'
import type { ArgumentChange, ParsedArguments } from './result.ts'
import { Scanner } from './scanner.ts'

export interface ArgumentStreamOptions<P extends TProperties> extends Omit<RecoverOptions, 'complete'> {
  /** The tool's `args`: types the value, and leads the result as it does in `parseArguments`. */
  readonly schema?: TObject<P> | undefined
}

export interface ArgumentStream<Value = Record<string, unknown>> {
  /**
   * What has come so far: one object, filled in place. Texts grow; a number, a literal or a key is there when it is whole. For
   * display, not for execution: its types are what the schema asks for, which nothing has checked, and its end may be missing.
   * Empty for a text that is no object.
   */
  readonly value: PartialDeep<Value>
  /** A copy of the value as it is now. */
  snapshot(): PartialDeep<Value>
  /** The next piece of the text, of any length. All pieces together take time linear in the text. */
  push(delta: string): readonly ArgumentChange[]
  /**
   * Calls the listener once, when the value at a JSON pointer (`/city`, `/rows/0`, empty for all) is whole, so that work on it may
   * start early; at the latest at `end`, and never for a text that is refused before. Of a key that comes twice, the first value
   * is told. Returns what ends this. A listener must not push or end; what it throws comes out of those, when all were told.
   */
  onComplete(pointer: string, listener: (value: unknown) => void): () => void
  /**
   * The same as `parseArguments` of the whole text; the same again when asked again. After it, `push` throws. The value is what
   * the result holds, unless the text is encoded twice or holds an object twice: then only the result does.
   */
  end(options?: EndOptions): ParsedArguments
}

export interface EndOptions {
  /** Why the provider ended the reply. Of several calls in one reply, only the last can be cut: give `complete` for the others. */
  readonly finishReason?: FinishReason | undefined
  /** As in `RecoverOptions`; what `finish` says unless told. */
  readonly complete?: boolean | undefined
}

const NOTHING: readonly never[] = Object.freeze([])

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
  readonly #text = new JoinedText()
  /** Held back until the rest of its character comes. */
  #half = ''
  readonly #listeners = new Listeners()
  #result: ParsedArguments | undefined

  constructor(options: ArgumentStreamOptions<TProperties>) {
    this.#options = options
    this.#limits = toLimits(options)
    // Whether a number at the end is whole is only known there.
    this.#scanner = new Scanner(this.#limits, this.value)
  }

  snapshot(): Record<string, unknown> {
    return structuredClone(this.value)
  }

  push(delta: string): readonly ArgumentChange[] {
    if (this.#result !== undefined) throw new TypeError('push: the stream has ended. Make another one with argumentStream().')
    this.#listeners.assertQuiet('push')
    const piece = this.#half === '' ? delta : this.#half + delta
    this.#half = isHalf(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : ''
    const changes = this.#read(this.#half === '' ? piece : piece.slice(0, -1))
    if (this.#listeners.isEmpty) return changes
    this.#listeners.tell(changes)
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
    if (result.ok) this.#listeners.tellRest(result.value)
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
    // Refused, or another kind of value: a refusal quotes the text, and as a whole it can still be one that JSON.parse takes.
    return parseArguments(this.#text.join(), { ...this.#options, complete })
  }
}

/** The first half of a character that is two units long: alone, it could not be shown. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** The type of a value of which only a part has come. Every property may be missing, on every level; what is neither a list nor an object is there or not. */
export type PartialDeep<T> = T extends readonly (infer Item)[]
  ? readonly PartialDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T
