/** The tags of XTML with optional white space, and their attributes. */
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { ClosedValue } from '../tagged/closed-value.ts'

/** The markers of XTML. For tags with attributes, they contain only the start of the tag. */
export const XTML = {
  call: loose('<|open|> call'),
  argument: loose('<|open|> argument'),
  json: loose('<|open|> json'),
  closeCall: loose('<|close|> call <|sep|>'),
  closeArgument: loose('<|close|> argument <|sep|>'),
  closeJson: loose('<|close|> json <|sep|>'),
  closeTools: loose('<|close|> tools <|sep|>'),
  closeMessage: loose('<|close|> message <|sep|>'),
}

export const XTML_VALUE = new ClosedValue({
  close: [XTML.closeArgument],
  more: [XTML.argument],
  closeCall: [XTML.closeCall],
  nextCall: [XTML.call],
  behind: [XTML.closeTools, XTML.closeMessage],
  never: ['<|open|>', '<|close|>', '<|sep|>'],
})

const TAG_ENDS = new MarkerSet({ sep: '<|sep|>', tag: ['<|open|>', '<|close|>'] })

/**
 * Reads the rest of a tag that was started. `cut`: the text ended in it. `malformed`: another tag came before its end. `text`: it isn't a
 * tag.
 */
export function* takeAttributes(input: TextInput): Reading<XtmlAttributes | 'cut' | 'malformed' | 'text'> {
  let text = ''
  const end = yield* input.before(TAG_ENDS, (piece) => {
    text += piece
  })
  if (/^\S/.test(text)) return 'text'
  if (end === undefined) return 'cut'
  if (end === 'tag') return 'malformed'
  yield* input.take(TAG_ENDS)
  return toAttributes(text)
}

export interface XtmlAttributes {
  readonly all: ReadonlyMap<string, string>
  /** True if the text contains anything but attributes: something may be missing. */
  readonly isOdd: boolean
}

/** Parses `tool="search" index="1"`. The text between quotes belongs to the word before it. */
function toAttributes(text: string): XtmlAttributes {
  const attributes = new Map<string, string>()
  const parts = text.split('"')
  for (let at = 1; at < parts.length; at += 2) {
    const name = (parts[at - 1] as string).replace('=', '').trim()
    if (!attributes.has(name)) attributes.set(name, toRaw(parts[at] as string))
  }
  const isOdd = parts.some((part, at) => at % 2 === 0 && !(at === parts.length - 1 ? /^\s*$/ : /^\s*\w+\s*=\s*$/).test(part))
  return { all: attributes, isOdd }
}

function toRaw(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Writes an attribute. */
export function toAttribute(name: string, value: string): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}

/** False for text that would end the tag if written in an attribute, or look like the rest of a tag. */
export function isAttributeText(text: string): boolean {
  return !hasTokenPart(text)
}

/** True for text that contains part of a token. A name contains one only if a tag is broken. */
export function hasTokenPart(text: string): boolean {
  return /<\||>/.test(text)
}
