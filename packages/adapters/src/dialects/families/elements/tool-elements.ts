/** Calls in elements that are named after tools: `<get_weather>BODY</get_weather>`, or `<get_weather/>`. */
import type { BlockDefinition, WritableCall } from '../../define/definition.ts'
import type { DialectPolicy, FormatRefusal } from '../../define/dialect.ts'
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import type { CoercedText } from '../../engine/coerce-text.ts'
import { MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { openingsOf, REASONING } from './element-openings.ts'

export interface BodyText extends CoercedText {
  /** True if a parameter was repeated although it isn't declared as a list. */
  readonly isRepeated?: boolean
  /** True if an end tag is missing. */
  readonly isOpen?: boolean
}

/** Converts the text between the tags to the JSON of an object. Returns undefined if the text is malformed. */
export type BodyReader = (body: string, schema: unknown, repeated: DialectPolicy['repeatedParameter']) => BodyText | undefined

export interface ToolElementsOptions {
  readonly readBody: BodyReader
  /** True if a parameter may have the same name, and therefore the same tags, as its tool. */
  readonly nests?: boolean | undefined
}

/** Returns one block for all tools. The tool is known once its tag has been read. */
export function toolElements(
  names: readonly string[],
  { readBody, nests = false }: ToolElementsOptions,
): readonly BlockDefinition[] {
  const tools = new Set(names.filter((name) => isElementName(name) && name !== REASONING))
  if (tools.size === 0) return []
  const longest = [...tools].reduce((most, name) => Math.max(most, name.length), 0)
  function* readOpening(input: TextInput, opener: string): Reading<ElementTag | undefined> {
    const tag = yield* readTag(input, opener.slice(1), longest)
    return tag.kind === 'none' || tag.kind === 'end' || !tools.has(tag.name) ? undefined : tag
  }
  return [
    {
      open: openingsOf([...tools]),
      inside: [...tools].slice(0, MOST_ENDS).map((name) => `</${name}>`),
      *opens(input, opener) {
        return (yield* readOpening(input, opener)) !== undefined
      },
      *read(context) {
        const tag = yield* readOpening(context.input, context.opener)
        if (tag === undefined) return 'text'
        const body = tag.kind === 'empty' ? '' : yield* takeBody(context.input, tag.name, nests)
        return body === undefined ? 'cut' : writeCall(context, tag.name, body, readBody)
      },
    },
  ]
}

/** Maximum number of tools for which a lone end tag in text is recognized as the rest of a broken call. */
const MOST_ENDS = 64

/** Reads the body of a call. The body must be complete, because its meaning depends on the schema and on later text. */
function writeCall({ calls, tools, policy }: BlockContext, name: string, body: string, readBody: BodyReader): BlockOutcome {
  const read = body === '' ? NO_ARGUMENTS : readBody(body, tools.argsOf(name), policy.repeatedParameter)
  if (read === undefined || (read.json === NO_ARGUMENTS.json && policy.missingArguments === 'malformed')) return 'malformed'
  calls.start({ name })
  calls.write(read.json)
  if (read.isCoerced) calls.tag('coerced')
  if (read.isRepeated) calls.tag('repeated_parameter')
  if (read.isOpen) calls.doubt()
  calls.end()
  return 'read'
}

const NO_ARGUMENTS: BodyText = { json: '{}', isCoerced: false }

interface ElementTag {
  readonly kind: 'open' | 'empty' | 'end' | 'none'
  readonly name: string
  /** The consumed text, as the model wrote it. */
  readonly text: string
}

/**
 * Reads a tag, starting after its `<`. Consumes at most a name of `longest` characters with a space or line break on each side.
 * `begun` is the part of the tag that has already been consumed.
 */
function* readTag(input: TextInput, begun: string, longest: number): Reading<ElementTag> {
  if (begun.endsWith('>')) return toTag(begun)
  const most = longest + MOST_BESIDE - begun.length
  const more = yield* input.takeWhile(isInTag, most)
  if ((yield* input.peek()) !== '>') return { kind: 'none', name: '', text: begun + more }
  input.at++
  return toTag(`${begun}${more}>`)
}

/** Maximum number of characters in a tag besides its name: two `/` and two spaces. */
const MOST_BESIDE = 4

function isInTag(code: number): boolean {
  return code !== LESS && code !== GREATER
}

const LESS = 0x3c
const GREATER = 0x3e

function toTag(text: string): ElementTag {
  const parts = /^(\/?)[ \n]?([^\s/]+)[ \n]?(\/?)>$/.exec(text)
  const [, start, name = '', end] = parts ?? []
  if (parts === null || (start !== '' && end !== '')) return { kind: 'none', name, text }
  return { kind: start !== '' ? 'end' : end === '' ? 'open' : 'empty', name, text }
}

/** Reads up to and including the end tag. Returns the text before it, or undefined if there is no end tag. */
function* takeBody(input: TextInput, name: string, nests: boolean): Reading<string | undefined> {
  const body: string[] = []
  /** The last character so far other than white space. */
  let last = '>'
  const give = (text: string) => {
    body.push(text)
    last = text.trimEnd().slice(-1) || last
  }
  for (let open = 1; ; ) {
    if ((yield* input.until(LESS_THAN, give)) === undefined) return undefined
    const tag = yield* readTag(input, '', name.length)
    // Directly after another tag, an open tag starts a nested element. In the middle of text, it is only mentioned.
    if (tag.name === name && tag.kind === 'end') open--
    else if (nests && tag.name === name && tag.kind === 'open' && last === '>') open++
    if (open === 0) return body.join('')
    give(`<${tag.text}`)
  }
}

const LESS_THAN = new MarkerSet({ tag: '<' })

/** Returns true for a name that can be used as a tag. */
export function isElementName(name: string): boolean {
  return /^[^\s<>/&"'=!?]+$/.test(name)
}

/** Escapes every tag in a text, because each may be the tag of a tool. */
export function withoutTags(text: string): string {
  return text.replace(/<(?=\s*[^\s<>])/g, '&lt;')
}

/** Writes each call as an element named after its tool. `formatArguments` writes the arguments, each after a line break. */
export function formatElements(
  calls: readonly WritableCall[],
  formatArguments: (args: WritableCall['args'], name: string) => string,
): string | FormatRefusal {
  for (const { name, args } of calls) {
    const wrong = [name, ...Object.keys(args)].find((word) => !isElementName(word))
    if (wrong !== undefined)
      return {
        ok: false,
        code: wrong === name ? 'invalid_name' : 'unrepresentable_value',
        message: `The call to "${name}" cannot be written: ${JSON.stringify(wrong)} is not a valid tag name. Rename the ${wrong === name ? 'tool' : 'parameter'}.`,
      }
    // This tag would be parsed as the start of reasoning.
    if (name === REASONING)
      return {
        ok: false,
        code: 'invalid_name',
        message: `A tool cannot be named "${REASONING}" in this dialect. Rename the tool.`,
      }
  }
  return calls.map(({ name, args }) => `<${name}>${formatArguments(args, name)}\n</${name}>`).join('\n')
}
