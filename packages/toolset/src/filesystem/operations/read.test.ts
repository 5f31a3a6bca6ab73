import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../scripts/any-character.ts'
import { filesIn, makeFolder } from '../../../test/filesystem/files.ts'
import { parsePath } from '../path.ts'
import { readText } from './read.ts'
import { decodeText, encodeText, splitLines } from './text.ts'

const signal = new AbortController().signal

function fileOf(content: string | Buffer) {
  const { root } = makeFolder()
  writeFileSync(join(root, 'file'), content)
  const { jail } = filesIn(root)
  return (startLine = 1, lineCount = Infinity, maxBytes = 1000, maxImageBytes = 1000) =>
    readText(jail, parsePath('file'), { startLine, lineCount }, { maxBytes, maxImageBytes, signal })
}

describe('readText', () => {
  it('returns the whole text, its size in bytes and its number of lines', async () => {
    const read = fileOf('é1\r\ntwo\nthree')
    expect(await read()).toEqual({ path: 'file', text: 'é1\r\ntwo\nthree', size: 14, lines: 3, truncated: false })
  })

  it.each([
    [1, 1, 'one\n', true],
    [2, 1, 'two\n', true],
    [2, 2, 'two\nthree\n', false],
    [3, 9, 'three\n', false],
    [4, 1, '', false],
    [1, 0, '', true],
  ])('starts at line %j and returns %j lines', async (start, count, text, truncated) => {
    expect(await fileOf('one\ntwo\nthree\n')(start, count)).toMatchObject({ text, lines: 3, truncated })
  })

  it('returns no lines for an empty file', async () => {
    expect(await fileOf('')()).toMatchObject({ text: '', size: 0, lines: 0, truncated: false })
  })

  it('keeps a byte order mark', async () => {
    expect(await fileOf('\ufeffa')()).toMatchObject({ text: '\ufeffa' })
  })

  it('applies the limit exactly, to the byte', async () => {
    const read = fileOf('12345')
    expect(await read(1, 1, 5)).toMatchObject({ text: '12345' })
    await expect(read(1, 1, 4)).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('the limit is 4 bytes'),
    })
  })

  it('stops when the caller aborts', async () => {
    const { root } = makeFolder()
    writeFileSync(join(root, 'file'), 'text')
    const files = filesIn(root, { signal: AbortSignal.abort() })
    await expect(files.read('file')).rejects.toMatchObject({ code: 'aborted' })
  })

  it.each([
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')],
    ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1')],
    ['image/gif', Buffer.from('GIF89a\x01\0\x01\0\x80', 'latin1')],
    ['image/webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1')],
  ])('returns an image of the type %s, whichever lines are requested', async (mediaType, bytes) => {
    const image = { path: 'file', text: '', size: bytes.length, lines: 0, truncated: false, image: { mediaType, data: bytes } }
    expect(await fileOf(bytes)(2, 1, 4)).toEqual(image)
    await expect(fileOf(bytes)(1, 1, 1000, 8)).rejects.toMatchObject({ reason: 'too_large' })
  })

  it('returns text that starts like an image, within the limit for text', async () => {
    const read = fileOf('GIF89a is a format.')
    expect(await read()).toMatchObject({ text: 'GIF89a is a format.' })
    await expect(read(1, 1, 10)).rejects.toMatchObject({ reason: 'too_large' })
  })

  it.each([
    ['a PDF', '%PDF-1.7\n%\xe2\xe3\0'],
    ['a bitmap', 'BM\x36\0\0\0'],
    ['a sound', 'RIFF\x24\0\0\0WAVEfmt '],
    ['the start of an image', '\x89PNG'],
  ])('refuses %s', async (_what, content) => {
    await expect(fileOf(Buffer.from(content, 'latin1'))()).rejects.toMatchObject({
      reason: 'binary',
      message: expect.stringContaining('is neither a text file nor an image'),
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'applies the limit to a file that reports no size (skipped without /proc)',
    async () => {
      const { jail } = filesIn('/proc/self')
      await expect(
        readText(jail, parsePath('maps'), { startLine: 1, lineCount: 1 }, { maxBytes: 100, maxImageBytes: 100, signal }),
      ).rejects.toMatchObject({
        reason: 'too_large',
      })
    },
  )
})

describe('text', () => {
  it('is the same when it is read as when it was written', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 200 }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(text, (text) => {
        expect(decodeText(encodeText(text, 'file'))).toBe(text)
      }),
    )
  })

  it('consists of its lines, each with at most one line end', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r'), maxLength: 50 })
    fc.assert(
      fc.property(text, (text) => {
        const lines = splitLines(text)
        expect(lines.join('')).toBe(text)
        for (const line of lines) expect(line).toMatch(/^[^\n]*\n?$/)
        expect(lines).not.toContain('')
      }),
    )
  })
})
