/** Writes a call's arguments as JSON, one parameter at a time, for dialects in which arguments aren't JSON. */
import type { DialectPolicy } from '../define/dialect.ts'
import type { BlockContext } from './block.ts'
import type { ArgumentReader } from './call-writer.ts'
import { coerceText } from './coerce-text.ts'
import { declaredTypes, propertyOf } from './declared-types.ts'

export class ArgumentsWriter implements ArgumentReader {
  readonly #context: BlockContext
  readonly #schema: unknown
  /** The JSON values of each parameter. There are several if the parameter is repeated. */
  readonly #values = new Map<string, string[]>()
  #key: string | undefined
  /** The JSON of the current parameter so far. */
  #value = ''
  #isInText = false
  /** First half of a surrogate pair. Held back until the second half arrives. */
  #half = ''

  /** Starts the call. The caller must have checked that the tool exists. */
  constructor(context: BlockContext, name: string, id?: string) {
    this.#context = context
    this.#schema = context.tools.argsOf(name)
    context.calls.start({ name, id, reader: this })
    context.calls.write('{')
  }

  get closing(): string {
    return this.#isInText ? '"}' : '}'
  }

  /** Returns the schema of a parameter. */
  schemaOf(key: string): unknown {
    return propertyOf(this.#schema, this.#schema, key)
  }

  /** Returns true if a parameter is a plain string that can be emitted as it arrives; see `beginText`. */
  isText(key: string): boolean {
    const schema = this.schemaOf(key)
    return schema === undefined || declaredTypes(schema, this.#schema).isText
  }

  /** Adds a parameter from plain text. Coerces the text to the schema. */
  coerce(key: string, text: string): void {
    const { json, isCoerced } = coerceText(text, this.schemaOf(key), this.#schema)
    if (isCoerced) this.#context.calls.tag('coerced')
    this.json(key, json)
  }

  /** Adds a parameter with a JSON value. */
  json(key: string, json: string): void {
    this.#begin(key)
    this.#write(json)
  }

  /** Starts a string parameter that arrives in pieces. Call `text` for each piece, then `endText`. */
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

  /** Ends the parameters. The call is then complete but stays open until `calls.end()`. */
  end(): void {
    const { calls, policy } = this.#context
    calls.write('}')
    this.#keep()
    const repeated = [...this.#values.values()].filter(({ length }) => length > 1)
    if (repeated.length > 0) {
      calls.tag('repeated_parameter')
      calls.replacement = toJson(this.#values, policy.repeatedParameter)
      if (policy.repeatedParameter === 'malformed' && repeated.some(isAmbiguous)) calls.spoil()
    }
    calls.isWhole = calls.isValid = true
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

/** Text that needs no escapes in JSON. */
const PLAIN = /^[ !#-[\]-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\uffff]*$/

function isAmbiguous(values: readonly string[]): boolean {
  return values.some((value) => value !== values[0])
}

type Repeated = DialectPolicy['repeatedParameter']

function toJson(values: ReadonlyMap<string, readonly string[]>, repeated: Repeated): string {
  const members = [...values].map(([key, all]) => `${JSON.stringify(key)}: ${all.length === 1 ? all[0] : choose(all, repeated)}`)
  return `{${members.join(', ')}}`
}

function choose(values: readonly string[], repeated: Repeated): string {
  if (repeated === 'list') return `[${values.join(', ')}]`
  return values[repeated === 'first' ? 0 : values.length - 1] as string
}
