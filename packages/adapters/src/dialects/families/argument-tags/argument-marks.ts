/** The tags of dialects with argument tags. These dialects differ only in the suffix of the tags. */

import { ClosedValue } from '../tagged/closed-value.ts'
import { LITERAL_LINE_BREAK } from './argument-head.ts'

/** Suffix of each tag. Hunyuan 4 writes `:opensource`. */
export type TagSuffix = '' | ':opensource'
const SUFFIXES: readonly TagSuffix[] = ['', ':opensource']

/** Returns all variants of a tag, one per suffix. */
export function argumentTag(name: string): readonly string[] {
  return SUFFIXES.map((suffix) => `<${name}${suffix}>`)
}

/** The tags before and after the parts of a call. */
export const TAGS = {
  key: argumentTag('arg_key'),
  value: argumentTag('arg_value'),
  separator: argumentTag('tool_sep'),
  close: argumentTag('/tool_call'),
  next: argumentTag('tool_call'),
  closeAll: argumentTag('/tool_calls'),
}

export const ARGUMENT_VALUE = new ClosedValue({
  close: argumentTag('/arg_value'),
  more: TAGS.key,
  closeCall: TAGS.close,
  never: [...argumentTag('/arg_key'), ...TAGS.value],
  nextCall: TAGS.next,
  behind: [...TAGS.closeAll, ...[...TAGS.key, ...TAGS.close].map((tag) => `${LITERAL_LINE_BREAK}${tag}`)],
})
