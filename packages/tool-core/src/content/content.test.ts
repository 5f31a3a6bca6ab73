import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import type { ToolError } from '../errors.ts'
import { file, image, text } from './builders.ts'
import { isContent, readContent } from './read-content.ts'

const png = image({ mediaType: 'image/png', data: new Uint8Array([137, 80, 78, 71]) })
const invalid = (words: string) => expect.objectContaining({ code: 'invalid_content', message: expect.stringContaining(words) })

describe('the builders of content parts', () => {
  it('creates parts from bytes, base64 and URLs', () => {
    expect(png).toEqual({ type: 'image', mediaType: 'image/png', source: { base64: 'iVBORw==' } })
    expect(file({ mediaType: 'audio/wav', base64: 'AAAA' })).toEqual({
      type: 'file',
      mediaType: 'audio/wav',
      source: { base64: 'AAAA' },
    })
    const url = new URL('https://example.com/a.pdf')
    expect(file({ mediaType: 'application/pdf', url, name: 'a.pdf' })).toEqual({
      type: 'file',
      mediaType: 'application/pdf',
      source: { url: 'https://example.com/a.pdf' },
      name: 'a.pdf',
    })
    expect(text('Seen.')).toEqual({ type: 'text', text: 'Seen.' })
  })

  it('keeps only the data of a data URL', () => {
    const part = image({ mediaType: 'image/png', url: 'data:image/png;base64,iVBORw==' })
    expect(part.source).toEqual({ base64: 'iVBORw==' })
  })

  it('converts bytes of any length', () => {
    const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => index % 251)
    const { source } = image({ mediaType: 'image/png', data: bytes.buffer })
    expect(source).toEqual({ base64: Buffer.from(bytes).toString('base64') })
  })

  it.each<[string, () => unknown, string]>([
    ['text that is no string', () => text(5 as never), 'text(): the text must be a string, got 5'],
    ['an image of another media type', () => image({ mediaType: 'audio/wav', base64: 'AAAA' }), 'must start with image/'],
    ['a media type of another form', () => file({ mediaType: 'pdf', base64: 'AAAA' }), 'must have the form type/subtype'],
    ['base64 with line breaks', () => image({ mediaType: 'image/png', base64: 'AAAA\nAAAA' }), 'must be base64'],
    ['empty data', () => image({ mediaType: 'image/png', data: new Uint8Array() }), 'must be base64, and not empty'],
    [
      'a URL of a file of the machine',
      () => image({ mediaType: 'image/png', url: 'file:///etc/passwd' }),
      'must start with one of',
    ],
    ['a relative URL', () => image({ mediaType: 'image/png', url: '/a.png' }), 'must start with one of'],
    ['an empty name', () => file({ mediaType: 'text/csv', base64: 'AAAA', name: ' ' }), 'must have 1 to 255 characters'],
    ['no data', () => image({ mediaType: 'image/png' } as never), 'pass data (the bytes), base64 or url'],
    ['no media', () => file(undefined as never), 'pass { mediaType, data }'],
    ['no media type', () => image({ base64: 'AAAA' } as never), 'mediaType must be a string'],
  ])('refuses %s', (_what, build, words) => {
    expect(build).toThrow(invalid(words))
  })

  it('never shows the data in an error message', () => {
    const base64 = 'secret!'.repeat(4)
    const thrown = (): string => {
      try {
        return String(image({ mediaType: 'image/png', base64 }))
      } catch (error) {
        return (error as ToolError).message
      }
    }
    expect(thrown()).not.toContain('secret')
  })
})

describe('isContent', () => {
  it('accepts a part and a list of parts', () => {
    expect([png, [png], [text('a'), png, file({ mediaType: 'text/csv', base64: 'AAAA' })]].every(isContent)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['a list with something else', [png, 'text']],
    ['a part with another member', { ...png, caption: 'A cat.' }],
    ['a text with another member', { type: 'text', text: 'a', id: 1 }],
    ['an image with a name', { ...png, name: 'a.png' }],
    ['an image without a source', { type: 'image', mediaType: 'image/png' }],
    ['a source of two forms', { ...png, source: { base64: 'AAAA', url: 'https://example.com' } }],
    ['a block of MCP', { type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no')
          },
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    ],
    ['null', null],
  ])('does not count %s as content', (_what, value) => {
    expect(isContent(value)).toBe(false)
    expect(readContent(value)).toBeUndefined()
  })
})

describe('the content of a result', () => {
  const shot = (toModelOutput: (output: unknown) => unknown, options: object = {}) =>
    callTool(
      defineTool({
        name: 'take_screenshot',
        description: 'Takes a screenshot.',
        args: Type.Object({}),
        execute: () => ({ width: 2 }),
        toModelOutput,
        ...options,
      }),
      { id: 'call_1', name: 'take_screenshot', args: {} },
    )

  it('returns the parts of toModelOutput as a list', async () => {
    const parts = [text('The screen.'), png]
    expect(await shot(() => parts)).toMatchObject({ output: { width: 2 }, modelOutput: parts, outputTags: [] })
  })

  it('returns a list for a single part', async () => {
    expect(await shot(async () => png)).toMatchObject({ modelOutput: [png] })
  })

  it('has no model output if toModelOutput returns undefined', async () => {
    const result = await shot(() => undefined)
    expect(result).toMatchObject({ ok: true, output: { width: 2 } })
    expect(result).not.toHaveProperty('modelOutput')
  })

  it('returns any other value of toModelOutput as JSON', async () => {
    expect(await shot(() => [{ ...png, caption: 'A cat.' }])).toMatchObject({ modelOutput: [{ caption: 'A cat.' }] })
  })

  it('reports a part that no model can read, and keeps the output', async () => {
    const result = await shot(() => [text('a'), { ...png, source: { base64: 'no base64' } }])
    expect(result).toMatchObject({
      ok: true,
      output: { width: 2 },
      modelOutputError: invalid('Part 2 of 2: the data of an image'),
    })
    expect(result).not.toHaveProperty('modelOutput')
  })

  it('replaces an image or a file over the limit in bytes with a description, and tags it', async () => {
    const large = file({ mediaType: 'application/pdf', name: 'a.pdf', data: new Uint8Array(7) })
    expect(await shot(() => [png, large, png], { maxMediaBytes: 8 })).toMatchObject({
      modelOutput: [
        png,
        {
          type: 'text',
          text: '[a.pdf, application/pdf, 7 bytes: left out, because a result can contain at most 8 bytes of images and files]',
        },
        png,
      ],
      outputTags: [{ tag: 'truncated', path: '/1' }],
    })
  })

  it('has a default limit of 10 MiB', async () => {
    const base64 = 'A'.repeat((10 * 1024 * 1024 * 4) / 3 + 4 - (((10 * 1024 * 1024 * 4) / 3) % 4))
    const result = await shot(() => image({ mediaType: 'image/png', base64 }))
    expect(result).toMatchObject({ outputTags: [{ tag: 'truncated', path: '/0' }] })
    expect(await shot(() => image({ mediaType: 'image/png', base64: base64.slice(4) }))).toMatchObject({ outputTags: [] })
  })

  it('truncates text over the limit for all texts, and replaces a lone surrogate', async () => {
    const result = await shot(() => [text('x'.repeat(15)), text('y'.repeat(15)), text('z'), text('\ud800')], {
      maxOutputLength: 20,
    })
    expect(result).toMatchObject({
      modelOutput: [
        text('x'.repeat(15)),
        { text: expect.stringMatching(/^y{1,5}… \[truncated: 15 characters in total]$/) },
        {},
        {},
      ],
      outputTags: expect.arrayContaining([{ tag: 'truncated', path: '/1/text' }]),
    })
    expect(await shot(() => [text('\ud800')])).toMatchObject({
      modelOutput: [text('\ufffd')],
      outputTags: [{ tag: 'converted', path: '/0/text' }],
    })
  })

  it('ends the content after the hundredth part', async () => {
    const result = await shot(() => Array.from({ length: 150 }, () => text('a')))
    const { modelOutput, outputTags } = result as { modelOutput?: unknown[]; outputTags?: unknown }
    expect(modelOutput).toHaveLength(100)
    expect(modelOutput?.at(-1)).toEqual(text('[truncated: 150 parts in total]'))
    expect(outputTags).toEqual([{ tag: 'truncated', path: '' }])
  })
})
