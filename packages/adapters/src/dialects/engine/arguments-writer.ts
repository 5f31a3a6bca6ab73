/** Writes the arguments of one call as JSON, one parameter after the other: for dialects that do not write JSON themselves. */
import type { BlockContext } from './block.ts'
import { coerceText } from './coerce-text.ts'
import { declaredTypes, propertyOf } from './declared-types.ts'

export class ArgumentsWriter {
  readonly #context: BlockContext
  readonly #schema: unknown
  /** The JSON of each parameter, once for each time that it came. */
  readonly #values = new Map<string, string[]>()
  #key: string | undefined
  /** Of the open parameter. */
  #value = ''
  #isInText = false
  /** The first half of a character, until the other one comes. */
  #half = ''

  /** Starts the call; whether there is such a tool is for the reader to ask. */
  constructor(context: BlockContext, name: string, id?: string) {
    this.#context = context
    this.#schema = context.tools.argsOf(name)
    context.calls.start({ name, id, closing: () => (this.#isInText ? '"}' : '}') })
    context.calls.write('{')
  }

  /** What the tool's schema says of a parameter. */
  schemaOf(key: string): unknown {
    return propertyOf(this.#schema, this.#schema, key)
  }

  /** True where the value of a parameter is text as it stands, and can be told as it comes: see `beginText`. */
  isText(key: string): boolean {
    const schema = this.schemaOf(key)
    return schema === undefined || declaredTypes(schema, this.#schema).isText
  }

  /** A parameter whose value is bare text, read as the schema asks. */
  coerce(key: string, text: string): void {
    const { json, isCoerced } = coerceText(text, this.schemaOf(key), this.#schema)
    if (isCoerced) this.#context.calls.tag('coerced')
    this.json(key, json)
  }

  /** A parameter whose value is JSON. */
  json(key: string, json: string): void {
    this.#begin(key)
    this.#write(json)
  }

  /** A parameter whose text comes in pieces: `text` for each, then `endText`. */
  beginText(key: string): void {
    this.#begin(key)
    this.#write('"')
    this.#isInText = true
  }

  text(piece: string): void {
    if (this.#half === '' && PLAIN.test(piece)) {
      this.#write(piece)
      return
    }
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    const whole = this.#half === '' ? text : text.slice(0, -1)
    if (whole !== '') this.#write(JSON.stringify(whole).slice(1, -1))
  }

  endText(): void {
    this.#isInText = false
    this.#write(`${JSON.stringify(this.#half).slice(1)}`)
    this.#half = ''
  }

  /** All parameters have come. The call is whole, and open until `calls.end()`. */
  end(): void {
    const { calls, policy } = this.#context
    calls.write('}')
    this.#keep()
    const isRepeated = [...this.#values.values()].some(({ length }) => length > 1)
    if (isRepeated) {
      calls.tag('repeated_parameter')
      calls.replacement = toJson(this.#values, policy.repeatedParameter)
    }
    calls.isWhole = true
  }

  #begin(key: string): void {
    this.#keep()
    this.#context.calls.write(`${this.#values.size === 0 ? '' : ', '}${JSON.stringify(key)}: `)
    this.#key = key
  }

  #write(json: string): void {
    this.#value += json
    this.#context.calls.write(json)
  }

  #keep(): void {
    if (this.#key === undefined) return
    const values = this.#values.get(this.#key) ?? []
    values.push(this.#value)
    this.#values.set(this.#key, values)
    this.#key = undefined
    this.#value = ''
  }
}

/** What stands in JSON as it is. */
const PLAIN = /^[ !#-[\]-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\uffff]*$/

function toJson(values: ReadonlyMap<string, readonly string[]>, repeated: 'last' | 'first' | 'list'): string {
  const members = [...values].map(([key, all]) => `${JSON.stringify(key)}: ${all.length === 1 ? all[0] : choose(all, repeated)}`)
  return `{${members.join(', ')}}`
}

function choose(values: readonly string[], repeated: 'last' | 'first' | 'list'): string {
  if (repeated === 'list') return `[${values.join(', ')}]`
  return values[repeated === 'first' ? 0 : values.length - 1] as string
}
