/** Distinguishes content parts from plain data, and validates them. */
import { ToolError } from '../errors.ts'
import type { ContentPart, MediaSource } from './content.ts'
import { mediaFault } from './media.ts'

/**
 * True for a content part, and for a non-empty list of content parts. An object or a list with any other member counts as plain data.
 * Doesn't check the sources of images and files; `readContent` does. Never throws.
 */
export function isContent(value: unknown): value is ContentPart | readonly ContentPart[] {
  try {
    return Array.isArray(value) ? value.length > 0 && value.every(isPart) : isPart(value)
  } catch {
    // A getter or a proxy threw.
    return false
  }
}

/**
 * Returns the content parts in a value, or undefined for plain data. Throws `invalid_content` for an image or a file that no model could
 * read.
 */
export function readContent(value: unknown): readonly ContentPart[] | undefined {
  if (!isContent(value)) return undefined
  const parts: readonly ContentPart[] = Array.isArray(value) ? value : [value as ContentPart]
  for (const [index, part] of parts.entries()) {
    const fault = part.type === 'text' ? undefined : mediaFault(part)
    if (fault !== undefined) throw new ToolError('invalid_content', `Part ${index + 1} of ${parts.length}: ${fault}.`)
  }
  return parts
}

/** True for a content part without any other members, which would otherwise be lost. */
function isPart(value: unknown): value is ContentPart {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type, ...rest } = value as Record<string, unknown>
  if (type === 'text') return typeof rest.text === 'string' && Object.keys(rest).length === 1
  if (type !== 'image' && type !== 'file') return false
  const { mediaType, source, name, ...others } = rest
  if (typeof mediaType !== 'string' || !isSource(source) || Object.keys(others).length > 0) return false
  return name === undefined || (type === 'file' && typeof name === 'string')
}

function isSource(value: unknown): value is MediaSource {
  if (typeof value !== 'object' || value === null) return false
  const { base64, url, ...others } = value as Record<string, unknown>
  if (Object.keys(others).length > 0) return false
  return url === undefined ? typeof base64 === 'string' : base64 === undefined && typeof url === 'string'
}
