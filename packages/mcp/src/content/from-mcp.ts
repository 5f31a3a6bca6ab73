/** Converts the content blocks of an MCP result to content parts. */
import { type ContentPart, file, image, type ModelOutput, type TextPart, text } from '@x/tool-core'
import { resourceHeading, resourceLink, SHOWN_ABOVE, unknownPart, unreadableMedia } from '../prompts.ts'

/** The output of a server's tool, as this package returns it. */
export interface McpOutput {
  readonly content: readonly ContentPart[]
  /** Data that matches the tool's output schema, if it has one. */
  readonly structuredContent?: unknown
}

/** A content block from a server. Its type is open, because the SDK validates only the block types that it knows. */
type Block = Readonly<Record<string, unknown>>

export function toParts(blocks: readonly unknown[]): readonly ContentPart[] {
  return blocks.flatMap((block) => (typeof block === 'object' && block !== null ? toPart(block as Block) : []))
}

function toPart(block: Block): ContentPart {
  switch (block.type) {
    case 'text':
      return text(String(block.text))
    case 'image':
    case 'audio':
      return media(block.data, block.mimeType)
    case 'resource_link':
      return text(
        resourceLink({
          uri: String(block.uri),
          name: textOr(block.title) ?? String(block.name),
          mimeType: textOr(block.mimeType),
          description: textOr(block.description),
        }),
      )
    case 'resource':
      return resource((block.resource ?? {}) as Block)
    default:
      return text(unknownPart(String(block.type)))
  }
}

function resource({ uri, mimeType, text: words, blob }: Block): ContentPart {
  if (typeof words === 'string') return text(`${resourceHeading(String(uri))}\n${words}`)
  return media(blob, mimeType ?? 'application/octet-stream', nameIn(String(uri)))
}

function media(data: unknown, mimeType: unknown, name?: string): ContentPart {
  // Providers reject media types with parameters, such as a codec.
  const given = String(mimeType).split(';')[0]?.trim().toLowerCase() ?? ''
  // Many servers write `image/jpg`, which APIs reject.
  const mediaType = given === 'image/jpg' ? 'image/jpeg' : given
  const base64 = typeof data === 'string' ? data.replaceAll(/\s/g, '') : ''
  try {
    return mediaType.startsWith('image/') ? image({ mediaType, base64 }) : file({ mediaType, base64, name })
  } catch {
    return text(unreadableMedia(mediaType))
  }
}

const MAX_NAME = 255

/** Returns the last segment of a URI's path. */
function nameIn(uri: string): string | undefined {
  const name = uri.split(/[?#]/)[0]?.split('/').pop()?.trim()
  return name === undefined || name === '' || name.length > MAX_NAME ? undefined : name
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns the output that the model reads: the content parts, and the structured data unless the parts already show it. A long
 * string or base64 data that is in both is shown only once, as a part.
 */
export function toModelOutput({ content, structuredContent }: McpOutput): ModelOutput {
  const isExtra = structuredContent !== undefined && !isShown(content, structuredContent)
  const parts = isExtra ? [...content, dataOf(content, structuredContent)] : content
  if (parts.length === 0) return ''
  return parts.every(isText) ? parts.map((part) => part.text).join('\n') : parts
}

function isText(part: ContentPart): part is TextPart {
  return part.type === 'text'
}

/**
 * Returns true if the parts already show the data. Either a text part is the same JSON, apart from white space and key order, or
 * the parts show each of its values.
 */
function isShown(content: readonly ContentPart[], data: unknown): boolean {
  const wanted = canonical(data)
  if (content.some((part) => isText(part) && asJson(part.text) === wanted)) return true
  return content.length > 0 && areLeavesIn(valuesIn(content), data)
}

function asJson(words: string): string | undefined {
  try {
    return canonical(JSON.parse(words))
  } catch {
    return undefined
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

/** Returns all strings that the parts show or that describe them: text, data, media types and kinds. */
function valuesIn(content: readonly ContentPart[]): ReadonlySet<string> {
  return new Set(
    content.flatMap((part) => {
      if (isText(part)) return ['text', part.text]
      const kind = part.mediaType.split('/')[0] ?? ''
      return [part.type, kind, part.mediaType, 'base64' in part.source ? part.source.base64 : part.source.url]
    }),
  )
}

/** Returns true if a set contains all scalars in the data. Copies no lists of them, because a server may nest a million of them deeply. */
function areLeavesIn(shown: ReadonlySet<string>, data: unknown): boolean {
  const open = [data]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) open.push(member)
    else if (typeof next !== 'string' || !shown.has(next)) return false
  }
  return true
}

function dataOf(content: readonly ContentPart[], data: unknown): TextPart {
  const shown = valuesIn(content)
  return text(JSON.stringify(data, (_, member: unknown) => (isLong(member) && shown.has(member) ? SHOWN_ABOVE : member)))
}

/** Returns true if a string is so long that a note should replace it. */
function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > 64
}
