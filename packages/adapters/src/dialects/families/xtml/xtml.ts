/** Reads an XTML call. Attributes contain the tool's name, and the key and type of each argument. */
import type { BlockDefinition } from '../../define/definition.ts'
import { ArgumentsWriter } from '../../engine/arguments-writer.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { hasAllDeclared } from '../../engine/declared-types.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { readLiteral } from '../tagged/bare-literal.ts'
import { hasBrokenTag } from '../tagged/tagged-value.ts'
import { hasTokenPart, takeAttributes, XTML, XTML_VALUE } from './xtml-tags.ts'

export const xtmlCall: BlockDefinition = {
  open: XTML.call,
  inside: ['<|open|>', '<|close|>', '<|sep|>'],
  *read(context) {
    const { input, tools, policy } = context
    const attributes = yield* takeAttributes(input)
    if (typeof attributes === 'string') return attributes
    const name = attributes.all.get('tool') ?? ''
    if (name === '') return yield* skipCall(context)
    if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
    yield* input.skipSpace()
    const isJson = (yield* input.match(JSON_BODY)) !== undefined
    const keys = new Set<string>()
    const outcome = isJson ? yield* readJson(context, name) : yield* readArguments(context, name, keys)
    if (outcome === 'malformed') return yield* skipCall(context)
    if (outcome === 'read' && attributes.isOdd) context.calls.doubt()
    return outcome === 'read' ? yield* endCall(context, isJson || hasAllDeclared(tools.argsOf(name), keys)) : outcome
  },
}

const CALL_ENDS = { close: XTML.closeCall, next: [XTML.call, XTML.closeTools, XTML.closeMessage] }
const ENDS = new MarkerSet(CALL_ENDS)
const PARTS = new MarkerSet({ ...CALL_ENDS, argument: XTML.argument })
const JSON_BODY = new MarkerSet({ json: XTML.json })
const CLOSE_JSON = new MarkerSet({ close: XTML.closeJson })

/** Skips a malformed call. The next one may be valid. */
function* skipCall({ input }: BlockContext): Reading<BlockOutcome> {
  const end = yield* input.before(ENDS, () => undefined)
  if (end === 'close') yield* input.take(ENDS)
  return end === undefined ? 'cut' : 'malformed'
}

/** Reads all arguments as JSON, and emits the JSON as it arrives. */
function* readJson({ input, calls }: BlockContext, name: string): Reading<BlockOutcome> {
  const attributes = yield* takeAttributes(input)
  if (typeof attributes === 'string') return attributes === 'cut' ? 'cut' : 'malformed'
  yield* input.skipSpace()
  const scanner = new JsonScanner('<')
  calls.start({ name, reader: scanner })
  if (!(yield* input.scan(scanner, (text) => calls.write(text)))) return 'cut'
  if (scanner.stoppedAt === 'nothing') return 'malformed'
  if (scanner.stoppedAt === 'stop') {
    calls.write(scanner.closing)
    calls.tag('repaired')
  }
  yield* input.skipSpace()
  if ((yield* input.match(CLOSE_JSON)) === undefined) calls.tag('repaired')
  return 'read'
}

/** Reads arguments. Adds their names to `keys`. */
function* readArguments(context: BlockContext, name: string, keys: Set<string>): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const writer = new ArgumentsWriter(context, name)
  let stray = ''
  while ((yield* input.before(PARTS, (text) => (stray += text))) === 'argument') {
    yield* input.take(PARTS)
    const outcome = yield* readArgument(context, writer, keys)
    if (outcome !== 'read') return outcome
  }
  // If the text ends before the first argument, the call is incomplete.
  if (input.isAtEnd && (keys.size === 0 || policy.unfinished === 'never')) return 'cut'
  const hasStray = stray.trim() !== ''
  // Text without any argument was meant as arguments. Elsewhere, an incomplete tag in the text may have been an argument.
  if (keys.size === 0 && (hasStray || policy.missingArguments === 'malformed')) return 'malformed'
  if (hasBrokenTag(stray)) return 'malformed'
  if (hasStray) calls.tag('repaired')
  writer.end()
  return 'read'
}

function* readArgument(context: BlockContext, writer: ArgumentsWriter, keys: Set<string>): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const attributes = yield* takeAttributes(input)
  if (typeof attributes === 'string') return attributes === 'cut' ? 'cut' : 'malformed'
  const key = attributes.all.get('key')
  const type = attributes.all.get('type')
  if (key === undefined || hasTokenPart(key)) return 'malformed'
  keys.add(key)
  if (attributes.isOdd) calls.doubt()
  if (type === undefined) calls.tag('repaired')
  const value = new TypedValue(writer, key, type)
  const end = yield* XTML_VALUE.read(input, (text) => value.give(text))
  if (end === 'broken') return 'malformed'
  if (end === 'cut' && policy.unfinished !== 'cut') return 'cut'
  if (end === 'next' || end === 'surplus') calls.tag('repaired')
  if (end === 'reopened') calls.doubt()
  value.end()
  return end === 'cut' ? 'cut' : 'read'
}

/** Ends the call after its arguments, at its end tag or at the next call. `isWhole` is true if no argument can be missing. */
function* endCall({ input, calls, policy }: BlockContext, isWhole: boolean): Reading<BlockOutcome> {
  yield* input.skipSpace()
  const end = yield* input.peek(ENDS)
  if (end === 'close') yield* input.take(ENDS)
  else if (end === undefined && !input.isAtEnd) return 'malformed'
  else if (end === undefined && policy.unfinished === 'never') return 'cut'
  else calls.tag('missing_end')
  calls.end(end === undefined && !isWhole)
  return 'read'
}

/**
 * Writes a value according to its type attribute. A string isn't changed. Any other value is JSON if it is valid, and a string
 * otherwise.
 */
class TypedValue {
  readonly #writer: ArgumentsWriter
  readonly #key: string
  readonly #type: string | undefined
  #text = ''

  constructor(writer: ArgumentsWriter, key: string, type: string | undefined) {
    this.#writer = writer
    this.#key = key
    this.#type = type
    if (type === 'string') writer.beginText(key)
  }

  give(piece: string): void {
    if (this.#type === 'string') this.#writer.text(piece)
    else this.#text += piece
  }

  end(): void {
    if (this.#type === 'string') this.#writer.endText()
    // Without a type attribute, the schema decides.
    else if (this.#type === undefined && !this.#writer.isText(this.#key)) this.#writer.coerce(this.#key, this.#text)
    else this.#writer.json(this.#key, this.#read())
  }

  #read(): string {
    const isText = this.#type === undefined && this.#writer.schemaOf(this.#key) !== undefined
    return (isText ? undefined : readLiteral(this.#text)) ?? JSON.stringify(this.#text)
  }
}
