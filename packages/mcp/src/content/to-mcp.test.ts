import { file, image, text } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { toBlocks } from './to-mcp.ts'

describe('content blocks', () => {
  it('keep text as it is and write any other value as JSON', () => {
    expect(toBlocks('a')).toEqual([{ type: 'text', text: 'a' }])
    expect(toBlocks({ a: [1] })).toEqual([{ type: 'text', text: '{"a":[1]}' }])
    expect(toBlocks(null)).toEqual([{ type: 'text', text: 'null' }])
  })

  it('contain images and audio according to their media type', () => {
    expect(
      toBlocks([
        text('Two files.'),
        image({ mediaType: 'image/png', base64: 'AAAA' }),
        file({ mediaType: 'audio/wav', base64: 'AAAA', name: 'a.wav' }),
      ]),
    ).toEqual([
      { type: 'text', text: 'Two files.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ])
  })

  it('embed other files, as text if they are text', () => {
    const json = btoa('{"a":"ü"}'.replace('ü', '\u00c3\u00bc'))
    expect(toBlocks([file({ mediaType: 'application/json', base64: json, name: 'a b.json' })])).toEqual([
      { type: 'resource', resource: { uri: 'attachment:///1/a%20b.json', mimeType: 'application/json', text: '{"a":"ü"}' } },
    ])
    expect(toBlocks([file({ mediaType: 'application/pdf', base64: 'AAAA' })])).toEqual([
      { type: 'resource', resource: { uri: 'attachment:///1/file%201', mimeType: 'application/pdf', blob: 'AAAA' } },
    ])
  })

  it('embed text that is not UTF-8 as bytes', () => {
    expect(toBlocks(file({ mediaType: 'text/plain', base64: '/w==' }))).toMatchObject([{ resource: { blob: '/w==' } }])
  })

  it('link to files that have an address', () => {
    expect(toBlocks(image({ mediaType: 'image/png', url: 'https://example.com/a.png' }))).toEqual([
      { type: 'resource_link', uri: 'https://example.com/a.png', name: 'image 1', mimeType: 'image/png' },
    ])
  })
})
