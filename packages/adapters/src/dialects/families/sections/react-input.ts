/**
 * Reads an action's input that isn't a JSON object. It becomes the tool's only argument, or the argument `input` if the tool has
 * several or none.
 */
import { recoverJson } from '../../../arguments/recover.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { declaredTypes } from '../../engine/declared-types.ts'
import { recoverExactly } from '../../engine/exact-json.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'

/**
 * Starts the call and writes its arguments. `give` receives the text in pieces, and emits each piece as it arrives if possible.
 */
export class BareInput {
  readonly #writer: ArgumentsWriter
  readonly #key: string
  readonly #isUndeclared: boolean
  /** Text that hasn't been emitted yet. After the first emitted piece, only white space is held back. */
  #text = ''
  #isStarted = false
  #isHeld = false

  constructor(context: BlockContext, name: string) {
    this.#writer = new ArgumentsWriter(context, name)
    const schema = context.tools.argsOf(name)
    this.#key = onlyKeyOf(schema) ?? 'input'
    this.#isUndeclared = declaredTypes(this.#writer.schemaOf(this.#key), schema).types.size === 0
  }

  readonly give = (piece: string): void => {
    this.#text += piece
    if (!this.#isStarted && (this.#isHeld || this.#mayBeNone() || !this.#begin())) return
    const space = piece.length - piece.trimEnd().length
    if (space === piece.length) return
    this.#writer.text(this.#text.slice(0, this.#text.length - space))
    this.#text = this.#text.slice(this.#text.length - space)
  }

  end(): void {
    if (this.#isStarted) this.#writer.endText()
    else this.#write(this.#text.trim())
    this.#writer.end()
  }

  /** True if the text ended inside a list. Some items of the list may be missing. */
  get isOpenList(): boolean {
    return this.#mayBeList() && new JsonScanner().push(this.#text, 0) < 0
  }

  #mayBeNone(): boolean {
    if (this.#text.length > LONGEST_NONE) return false
    const text = this.#text.trimEnd()
    return NONE.some((word) => word.startsWith(text))
  }

  /**
   * Starts the argument if its text can be emitted as it arrives. Returns whether it can. Text is held back if it may be a JSON
   * string or a list, or must be coerced.
   */
  #begin(): boolean {
    this.#isStarted = this.#writer.isText(this.#key) && !this.#text.startsWith('"') && !this.#mayBeList()
    this.#isHeld = !this.#isStarted
    if (this.#isStarted) this.#writer.beginText(this.#key)
    return this.#isStarted
  }

  /** Returns true for text that may be a JSON list, if the argument has no schema. */
  #mayBeList(): boolean {
    return this.#text.startsWith('[') && this.#isUndeclared
  }

  #write(text: string): void {
    if (NONE.includes(text)) return
    const list = this.#mayBeList() ? recoverExactly(text) : undefined
    if (list !== undefined && Array.isArray(list.value)) {
      this.#writer.json(this.#key, list.json)
      return
    }
    const read = text.startsWith('"') ? recoverJson(text) : undefined
    this.#writer.coerce(this.#key, read?.ok && typeof read.value === 'string' ? read.value : text)
  }
}

/** Words that models write for no input. */
const NONE = ['null', 'None', '']
const LONGEST_NONE = 32

/** Returns the name of the only property of a schema. Returns undefined if there isn't exactly one. */
function onlyKeyOf(schema: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { properties } = schema ?? {}
  const keys = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return keys.length === 1 ? keys[0] : undefined
}
