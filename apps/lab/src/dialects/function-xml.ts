/** `<functions><function name=…><param name=… type=…>value</param></function></functions>`, or with values in attributes. */
import {
  ArgumentsWriter,
  type BlockContext,
  type BlockDefinition,
  type BlockOutcome,
  coerceText,
  declaredTypes,
  loose,
  MarkerSet,
  type Reading,
  type TextInput,
  unescapeXml,
} from '@x/adapters/dialects'

const FUNCTION = '<function name'
const END_OF_BLOCK = loose('</functions >')
const END_OF_FUNCTION = loose('</function >')

export const functionXml: BlockDefinition = { open: [loose('<functions >'), FUNCTION], read: readBlock }

const IN_BLOCK = new MarkerSet({ function: loose(` ${FUNCTION}`), close: loose(' </functions >') })

function* readBlock(context: BlockContext): Reading<BlockOutcome> {
  const { input, calls, opener, policy } = context
  const endedBefore = calls.ended
  let next = opener === FUNCTION ? 'function' : yield* input.match(IN_BLOCK)
  while (next === 'function') {
    const outcome = yield* readFunction(context)
    if (outcome !== 'whole') return outcome
    next = yield* input.match(IN_BLOCK)
    if (next === undefined && input.isAtEnd && policy.unfinished === 'never' && opener !== FUNCTION) return 'cut'
    if (next === undefined && opener !== FUNCTION) calls.tag('missing_end')
    calls.end()
    input.mark()
  }
  if (next === 'close' || calls.ended > endedBefore) return 'read'
  return input.isAtEnd ? 'cut' : 'text'
}

const IN_FUNCTION = new MarkerSet({
  param: '<param',
  endParams: loose('</params >'),
  endFunction: END_OF_FUNCTION,
})
/** Markers after which the end tag of a function or a parameter must be missing. */
const BEHIND = new MarkerSet({ function: FUNCTION, endBlock: END_OF_BLOCK })

/** Reads a function after `<function name`. Returns `whole` if all arguments have been read. The call is then still open. */
function* readFunction(context: BlockContext): Reading<BlockOutcome | 'whole'> {
  const { input, calls, tools, policy } = context
  const tag = yield* readTag(input, 'name')
  if (tag === undefined) return input.isAtEnd ? 'cut' : 'malformed'
  const name = tag.attributes.get('name') ?? ''
  if (name === '') return 'malformed'
  if (policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  const writer = new ArgumentsWriter(context, name)
  let count = 0
  for (let isOpen = !tag.isEmpty; isOpen; ) {
    yield* input.skipSpace()
    const key = yield* input.match(IN_FUNCTION)
    if (key === 'param') {
      count++
      const outcome = yield* readParameter(context, writer)
      if (outcome !== 'read') return outcome
    } else if (key === undefined) {
      if ((yield* input.peek(BEHIND)) === undefined) return input.isAtEnd || (yield* isPartOfTag(input)) ? 'cut' : 'malformed'
      calls.tag('repaired')
      isOpen = false
    } else isOpen = key !== 'endFunction'
  }
  if (count === 0 && policy.missingArguments === 'malformed') return 'malformed'
  writer.end()
  return 'whole'
}

/** Returns true if the text ends inside a tag. */
function* isPartOfTag(input: TextInput): Reading<boolean> {
  const tag = yield* input.takeWhile((code) => code !== 0x3e && code !== 0x20, LONGEST_TAG)
  return input.isAtEnd && tag.startsWith('<')
}

const LONGEST_TAG = 16
const END_OF_PARAMETER = new MarkerSet({ close: loose('</param >'), next: [END_OF_FUNCTION, END_OF_BLOCK] })

/** Reads a parameter after `<param`. Ignores the enclosing tag `<params>`. */
function* readParameter({ input, calls }: BlockContext, writer: ArgumentsWriter): Reading<BlockOutcome> {
  const tag = yield* readTag(input)
  if (tag === undefined) return input.isAtEnd ? 'cut' : 'malformed'
  const name = tag.attributes.get('name')
  if (name === undefined) return 'read'
  let text = tag.attributes.get('value') ?? ''
  if (!tag.isEmpty && !tag.attributes.has('value')) {
    const pieces: string[] = []
    const end = yield* input.before(END_OF_PARAMETER, (piece) => pieces.push(piece))
    if (end === undefined) return 'cut'
    if (end === 'next') calls.tag('repaired')
    text = unescapeXml(pieces.join(''))
  }
  if (!tag.isEmpty) {
    yield* input.skipSpace()
    if ((yield* input.peek(END_OF_PARAMETER)) === 'close') yield* input.take(END_OF_PARAMETER)
  }
  write(writer, name, text, tag.attributes.get('type'))
  return 'read'
}

/** Writes a value with the type from the schema, or else from the `type` attribute. */
function write(writer: ArgumentsWriter, key: string, text: string, written = ''): void {
  const isDeclared = !writer.isText(key) || declaredTypes(writer.schemaOf(key), writer.schemaOf(key)).isText
  if (isDeclared) writer.coerce(key, text)
  else writer.json(key, coerceText(text, { type: TYPES.get(written.toLowerCase()) ?? 'string' }).json)
}

/** JSON Schema types, keyed by the leaderboard's names for them. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['integer', 'integer'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['number', 'number'],
  ['float', 'number'],
  ['double', 'number'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ['array', 'array'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['object', 'object'],
  ['dict', 'object'],
])

interface Tag {
  readonly attributes: ReadonlyMap<string, string>
  /** True if the tag ends with `/>`. */
  readonly isEmpty: boolean
}

/**
 * Parses attributes up to the end of the tag. `begun` is an attribute name that was already consumed. Returns undefined if the tag has no
 * end.
 */
function* readTag(input: TextInput, begun = ''): Reading<Tag | undefined> {
  const attributes = new Map<string, string>()
  for (let name = begun; ; name = '') {
    const before = name + (yield* input.takeWhile((code) => !'"\'<>'.includes(String.fromCharCode(code))))
    const unit = yield* input.peek()
    if (unit === '' || unit === '<') return undefined
    input.at++
    if (unit === '>') return { attributes, isEmpty: before.trimEnd().endsWith('/') }
    const value = yield* input.takeWhile((code) => code !== unit.charCodeAt(0))
    if ((yield* input.peek()) === '') return undefined
    input.at++
    const key = before.replace('=', '').trim()
    if (!attributes.has(key)) attributes.set(key, unescapeXml(value))
  }
}
