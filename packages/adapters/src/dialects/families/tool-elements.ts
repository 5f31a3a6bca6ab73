/** Blocks that have the name of a tool as their tag: `<get_weather>BODY</get_weather>`, or `<get_weather/>`. */
import type { BlockDefinition } from '../definition.ts'
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import type { CoercedText } from '../engine/coerce-text.ts'
import { type Marker, MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'

/** What stands between the tags, as the JSON of an object; undefined where it cannot be read. */
export type BodyReader = (body: string, schema: unknown) => CoercedText | undefined

export interface ToolElementsOptions {
  readonly readBody: BodyReader
  /** A parameter may have the name of its tool, and then has the same tags. */
  readonly nests?: boolean | undefined
}

/** One block for each tool. */
export function toolElements(names: readonly string[], { readBody, nests }: ToolElementsOptions): readonly BlockDefinition[] {
  return names.filter(isElementName).map((name) => {
    const open = tagsOf('<', name, '>')
    const tags: Tags = new MarkerSet({ end: endTagOf(name), open: nests ? open : [] })
    return { open: [...open, ...tagsOf('<', name, '/>')], read: (context) => readElement(context, name, tags, readBody) }
  })
}

type Tags = MarkerSet<'open' | 'end'>

/** What ends the element of a tool. */
export function endTagOf(name: string): Marker {
  return tagsOf('</', name, '>')
}

/** With a space or a line break beside the name, or none. Names are exact, which loose markers are not. */
function tagsOf(before: string, name: string, after: string): readonly string[] {
  const spaces = ['', ' ', '\n']
  return spaces.flatMap((left) => spaces.map((right) => before + left + name + right + after))
}

/** A body is read as a whole: what is in it depends on the schema, and on what comes later. */
function* readElement(context: BlockContext, name: string, tags: Tags, readBody: BodyReader): Reading<BlockOutcome> {
  const { calls, tools, policy, opener } = context
  const isEmpty = opener.endsWith('/>')
  const body = isEmpty ? '' : yield* takeBody(context, tags)
  if (body === undefined) return 'cut'
  const read = isEmpty ? NO_ARGUMENTS : readBody(body, tools.argsOf(name))
  if (read === undefined || (read.json === NO_ARGUMENTS.json && policy.missingArguments === 'unread')) return 'unread'
  calls.start({ name })
  calls.write(read.json)
  if (read.isCoerced) calls.tag('coerced')
  calls.end()
  return 'read'
}

const NO_ARGUMENTS: CoercedText = { json: '{}', isCoerced: false }

/** Up to the end tag, which is taken; undefined without one. */
function* takeBody({ input }: BlockContext, tags: Tags): Reading<string | undefined> {
  const body: string[] = []
  /** The last unit that is no space. */
  let last = '>'
  const give = (text: string) => {
    body.push(text)
    last = text.trimEnd().slice(-1) || last
  }
  for (let open = 1; ; ) {
    const tag = yield* input.until(tags, give)
    if (tag === undefined) return undefined
    // Behind a tag it opens the same element again; in text it is only named.
    if (tag.key === 'end') open--
    else if (last === '>') open++
    if (open === 0) return body.join('')
    give(tag.text)
  }
}

/** Whether a name can stand in a tag, alone. */
export function isElementName(name: string): boolean {
  return /^[^\s<>/&"'=!?]+$/.test(name)
}

/** Of the tags in a text, every one reads as text: any of them may be a tool's. */
export function withoutTags(text: string): string {
  return text.replace(/<(?=\s*[^\s<>])/g, '&lt;')
}
