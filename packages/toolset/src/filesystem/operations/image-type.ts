/** Recognizes images by their first bytes. The name of a file may be wrong, and providers compare the data with the media type. */

/** Number of bytes that `imageTypeOf` reads. */
export const HEADER_BYTES = 12

/** Returns the media type of an image that language models accept: PNG, JPEG, GIF or WebP. Undefined for any other data. */
export function imageTypeOf(header: Buffer): string | undefined {
  const text = header.toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : undefined
}
