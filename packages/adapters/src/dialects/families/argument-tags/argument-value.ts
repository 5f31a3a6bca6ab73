/** Reads the value of one parameter between argument tags: a string unchanged, or a literal if the schema doesn't require a string. */
import type { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { type DeclaredTypes, declaredTypes } from '../../engine/declared-types.ts'
import { readLiteral } from '../tagged/bare-literal.ts'
import { ARGUMENT_VALUE } from './argument-marks.ts'

export interface ArgumentPlace {
  /** Name of the tool. */
  readonly name: string
  readonly key: string
  /** True if a string in quotes is the text between them, even where quotes aren't needed. */
  readonly unquotes: boolean
}

/** Strings are emitted as they arrive, unless they start like a JSON string. Everything else is emitted at its end. */
export class ArgumentValue {
  readonly #writer: ArgumentsWriter
  readonly #place: ArgumentPlace
  readonly #declared: DeclaredTypes
  #text = ''
  #isBegun = false

  constructor({ tools }: BlockContext, writer: ArgumentsWriter, place: ArgumentPlace) {
    this.#writer = writer
    this.#place = place
    this.#declared = declaredTypes(writer.schemaOf(place.key), tools.argsOf(place.name))
  }

  give(piece: string): void {
    if (this.#isBegun) {
      this.#writer.text(piece)
      return
    }
    this.#text += piece
    if (!this.#declared.isText || this.#text === '' || this.#text.startsWith('"')) return
    this.#isBegun = true
    this.#writer.beginText(this.#place.key)
    this.#writer.text(this.#text)
  }

  end(): void {
    const { key } = this.#place
    const json = this.#isBegun ? undefined : this.#read(this.#text)
    if (this.#isBegun) this.#writer.endText()
    else if (json === undefined) this.#writer.coerce(key, this.#text)
    else this.#writer.json(key, json)
  }

  #read(text: string): string | undefined {
    const { types } = this.#declared
    if (types.size === 0) return readLiteral(text)
    return types.has('string') ? this.#unquote(text) : undefined
  }

  /** Adds quotes to text that would otherwise be read as something else, or end too early. */
  #unquote(text: string): string | undefined {
    const inner = toQuoted(text)
    return inner !== undefined && (this.#place.unquotes || needsQuotes(inner)) ? JSON.stringify(inner) : undefined
  }
}

/** Writes a value between the tags so that it is read back unchanged. */
export function writeArgument(value: unknown): string {
  if (typeof value === 'string' && !needsQuotes(value)) return value
  const json = JSON.stringify(value)
  return ARGUMENT_VALUE.endsIn(json) ? json.replaceAll('<', '\\u003c') : json
}

function needsQuotes(text: string): boolean {
  return ARGUMENT_VALUE.endsIn(text) || readLiteral(text) !== undefined
}

function toQuoted(text: string): string | undefined {
  if (!text.startsWith('"') || !text.endsWith('"')) return undefined
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}
