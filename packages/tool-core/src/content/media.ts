/** Checks the media types and sources of images and files. */

import type { FilePart, ImagePart } from './content.ts'

/**
 * Describes what is wrong with an image or a file, as a sentence without the final period. Returns undefined if nothing is wrong. The
 * sentence never contains the data itself.
 */
export function mediaFault({ type, mediaType, source, ...rest }: ImagePart | FilePart): string | undefined {
  const owner = type === 'image' ? 'an image' : 'a file'
  if (!MEDIA_TYPE.test(mediaType)) return `the mediaType of ${owner} must have the form type/subtype, such as image/png`
  if (type === 'image' && !/^image\//i.test(mediaType))
    return 'the mediaType of an image must start with image/; use file() otherwise'
  if ('name' in rest && rest.name !== undefined && !isName(rest.name))
    return `the name of a file must have 1 to ${MAX_NAME} characters`
  if ('url' in source)
    return isFetched(source.url) ? undefined : `the URL of ${owner} must start with one of: ${[...SCHEMES].join(' ')}`
  return isBase64(source.base64) ? undefined : `the data of ${owner} must be base64, and not empty`
}

/** Returns the size of an image or a file in bytes: the size of its decoded data, or the length of its URL. */
export function mediaSize({ source }: Pick<ImagePart, 'source'>): number {
  if ('url' in source) return source.url.length
  const { base64 } = source
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='))
  return (base64.length / 4) * 3 - padding
}

const MAX_NAME = 255
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i
/** URL schemes that providers can fetch. */
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'gs:', 's3:'])

function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= MAX_NAME && name.isWellFormed()
}

function isFetched(url: string): boolean {
  return URL.canParse(url) && SCHEMES.has(new URL(url).protocol)
}

/** True for base64 with padding and without line breaks. All providers accept only this form. */
function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}
