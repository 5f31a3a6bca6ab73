/** The tags of XTML, with optional white space, and their attributes. */
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { ClosedValue } from '../tagged/closed-value.ts'

/** XTML's markers. For a tag with attributes, the marker is only its beginning. */
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
  nextCall: [XTML.call, loose('<|open|> tools <|sep|> <|open|> call')],
  behind: [XTML.closeTools, XTML.closeMessage],
  never: ['<|open|>', '<|close|>', '<|sep|>'],
})

const TAG_ENDS = new MarkerSet({ sep: '<|sep|>', tag: ['<|open|>', '<|close|>'] })

/**
 * Reads the attributes and the end of a tag. `cut`: the text ended inside it. `malformed`: another tag came first. `text`: it
 * isn't a tag.
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
  /** True if the tag contains anything other than attributes. A part of it may then be missing. */
  readonly isOdd: boolean
}

/** Parses attributes such as `tool="search" index="1"`. Quoted text is the value of the word before it. */
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

/** Writes an attribute, with `&` and quotes in its value escaped. */
export function toAttribute(name: string, value: string): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
}

/** Returns true if the text contains a part of a token. It can't be written in an attribute. In a name, it means that a tag is broken. */
export function hasTokenPart(text: string): boolean {
  return /<\||>/.test(text)
}
