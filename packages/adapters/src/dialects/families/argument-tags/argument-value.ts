/** Reads and writes parameter values between argument tags. The schema decides whether a value is a string or a literal. */
import type { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext } from '../../engine/block.ts'
import { type DeclaredTypes, declaredTypes } from '../../engine/declared-types.ts'
import { readLiteral } from '../tagged/bare-literal.ts'
import { ARGUMENT_VALUE } from './argument-marks.ts'

export interface ArgumentPlace {
  /** Name of the tool. */
  readonly name: string
  readonly key: string
  /** True if the quotes around a string are always removed, even if the string would be parsed correctly without them. */
  readonly unquotes: boolean
}

/**
 * Writes a value that arrives in pieces. A string is emitted as it arrives, unless it starts like a JSON string. Any other value
 * is emitted once it is complete.
 */
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

  /**
   * Returns the JSON of a string without the extra quotes around it. Returns undefined if there are none, or if they are part of
   * the string.
   */
  #unquote(text: string): string | undefined {
    const inner = toQuoted(text)
    return inner !== undefined && (this.#place.unquotes || needsQuotes(inner)) ? JSON.stringify(inner) : undefined
  }
}

/** Writes a value in a form that is parsed back unchanged. */
export function writeArgument(value: unknown): string {
  if (typeof value === 'string' && !needsQuotes(value)) return value
  const json = JSON.stringify(value)
  return ARGUMENT_VALUE.endsIn(json) ? json.replaceAll('<', '\\u003c') : json
}

/** Returns true for a string that, without quotes, would be parsed as another value or would end too early. */
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
