/** Converts values in a custom notation to JSON, with the types that the schema declares. */
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../../engine/declared-types.ts'
import { isLiteral } from './literal-value.ts'

interface Frame {
  readonly bracket: '{' | '['
  readonly schema: unknown
  count: number
}

/** Maximum depth of arguments. Deeper ones would be refused when they are parsed. */
const DEEPEST = 512

/** Collects values. Each is a parameter, or belongs to a list or object in the current parameter. */
export class LiteralTarget {
  readonly #context: BlockContext
  readonly #writer: ArgumentsWriter
  /** The schema of the arguments. */
  readonly #root: unknown
  /** The lists and objects that are open in the parameter, outermost first. */
  readonly #frames: Frame[] = []
  #lists = 0
  /** The JSON of the parameter so far. */
  #pieces: string[] = []
  #parameter = ''
  #key: string | undefined
  /** The current string, if it can't be emitted as it arrives. */
  #text: string | undefined

  /** Starts the call. */
  constructor(context: BlockContext, name: string) {
    this.#context = context
    this.#writer = new ArgumentsWriter(context, name)
    this.#root = context.tools.argsOf(name)
  }

  get depth(): number {
    return this.#frames.length
  }

  get isInList(): boolean {
    return this.#frames.at(-1)?.bracket === '['
  }

  get hasList(): boolean {
    return this.#lists > 0
  }

  /** True if the schema declares only strings, or no type at all. */
  get isText(): boolean {
    const { types, isText } = this.#declared
    return isText || types.size === 0
  }

  get mayBeText(): boolean {
    const { types } = this.#declared
    return types.size === 0 || types.has('string')
  }

  /** Returns true if the text may be a key after unquoted text. If the schema declares properties, only their names are keys. */
  readonly mayBeKey = (key: string): boolean => {
    const { schema } = this.#frames.at(-1) ?? { schema: this.#root }
    const isClosed = typeof schema === 'object' && schema !== null && 'properties' in schema
    return !isClosed || propertyOf(schema, this.#root, key) !== undefined
  }

  /** Starts a value. `key` is undefined for an item of a list. */
  begin(key: string | undefined): void {
    this.#key = key
    if (this.depth === 0) this.#parameter = key as string
  }

  /** Opens a list or object. Returns false if it is nested too deeply. */
  open(bracket: '{' | '['): boolean {
    if (this.depth === DEEPEST) return false
    const schema = this.#schema
    this.#pieces.push(this.#prefix() + bracket)
    this.#frames.push({ bracket, schema, count: 0 })
    if (bracket === '[') this.#lists++
    return true
  }

  /** Closes the innermost list or object. Returns true if none was open, which ends the arguments. */
  close(): boolean {
    const frame = this.#frames.pop()
    if (frame === undefined) return true
    if (frame.bracket === '[') this.#lists--
    this.#pieces.push(frame.bracket === '{' ? '}' : ']')
    if (this.depth === 0) {
      this.#writer.json(this.#parameter, this.#pieces.join(''))
      this.#pieces = []
    }
    return false
  }

  /** Ends the arguments. */
  end(): 'done' {
    this.#writer.end()
    return 'done'
  }

  beginText(): void {
    if (this.depth === 0 && this.mayBeText) this.#writer.beginText(this.#parameter)
    else this.#text = ''
  }

  readonly text = (piece: string): void => {
    if (this.#text === undefined) this.#writer.text(piece)
    else this.#text += piece
  }

  endText(): void {
    if (this.#text === undefined) this.#writer.endText()
    else this.string(this.#text)
    this.#text = undefined
  }

  /** Adds a string. Coerces it if the schema doesn't allow strings. */
  string(text: string): void {
    this.#push(this.mayBeText ? JSON.stringify(text) : this.#coerce(text))
  }

  /** Adds an unquoted value. A literal keeps its type, unless the schema allows only strings. */
  bare(text: string): void {
    const { calls } = this.#context
    const word = text.trim()
    const constant = CONSTANTS.get(word)
    if (this.#declared.isText || (constant === undefined && !isLiteral(word))) {
      calls.doubt()
      this.#push(this.mayBeText ? JSON.stringify(withoutBlanks(text)) : this.#coerce(word))
    } else {
      if (constant !== undefined) calls.tag('coerced')
      this.#push(constant ?? word)
    }
  }

  get #schema(): unknown {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return this.#writer.schemaOf(this.#parameter)
    return this.#key === undefined ? itemsOf(frame.schema, this.#root) : propertyOf(frame.schema, this.#root, this.#key)
  }

  get #declared() {
    return declaredTypes(this.#schema, this.#root)
  }

  #coerce(text: string): string {
    const { json, isCoerced } = coerceText(text, this.#schema, this.#root)
    if (isCoerced) this.#context.calls.tag('coerced')
    return json
  }

  #push(json: string): void {
    if (this.depth === 0) this.#writer.json(this.#parameter, json)
    else this.#pieces.push(this.#prefix() + json)
  }

  /** Returns the JSON that precedes a value in a list or object: a comma, a key, or both. */
  #prefix(): string {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return ''
    const comma = frame.count++ > 0 ? ', ' : ''
    return frame.bracket === '[' ? comma : `${comma}${JSON.stringify(this.#key)}: `
  }
}

/** Python's constants as JSON. */
const CONSTANTS: ReadonlyMap<string, string> = new Map<string, string>([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** Removes spaces and tabs at both ends. Line breaks belong to the string. */
function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
