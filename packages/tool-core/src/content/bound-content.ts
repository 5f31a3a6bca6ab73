/** Limits the size and the number of content parts in a result. */
import { boundOutput, lengthOf, MAX_OUTPUT_LENGTH, type OutputTag } from '../output/output.ts'
import { leftOutMedia, truncatedMark } from '../prompts.ts'
import type { ContentPart } from './content.ts'
import { mediaSize } from './media.ts'

/** Maximum total size of the images and files in one result, in bytes. */
export const MAX_MEDIA_BYTES = 10 * 1024 * 1024
/** Maximum number of parts in one result. */
export const MAX_PARTS = 100

export interface BoundedContent {
  readonly parts: readonly ContentPart[]
  readonly tags: readonly OutputTag[]
}

/**
 * Returns parts within the limits. An image or a file that would exceed `maxMediaBytes` is replaced with text that describes it, and long
 * text is truncated. If there are more than 100 parts, a truncation marker replaces the 100th, and the rest are dropped. Each change has
 * the tag `truncated`.
 */
export function boundContent(
  parts: readonly ContentPart[],
  { maxOutputLength = MAX_OUTPUT_LENGTH, maxMediaBytes = MAX_MEDIA_BYTES } = {},
): BoundedContent {
  const tags: OutputTag[] = []
  let bytes = maxMediaBytes
  let length = maxOutputLength
  const bounded = parts.slice(0, MAX_PARTS).map((part, index): ContentPart => {
    if (part.type === 'text') {
      const { value, tags: ofText } = boundOutput(part.text, Math.max(0, length))
      length -= lengthOf(part.text)
      for (const { tag } of ofText) tags.push({ tag, path: `/${index}/text` })
      return value === part.text ? part : { type: 'text', text: value as string }
    }
    const size = mediaSize(part)
    if (size > bytes) {
      tags.push({ tag: 'truncated', path: `/${index}` })
      return { type: 'text', text: leftOutMedia(part, size, maxMediaBytes) }
    }
    bytes -= size
    return part
  })
  if (parts.length <= MAX_PARTS) return { parts: tags.length === 0 ? parts : bounded, tags }
  const rest: ContentPart = { type: 'text', text: truncatedMark(parts.length, 'part') }
  return { parts: [...bounded.slice(0, MAX_PARTS - 1), rest], tags: [...tags, { tag: 'truncated', path: '' }] }
}
