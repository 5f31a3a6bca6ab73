import { Type } from 'typebox'
import { type ContentPart, defineTool, file, image, isContent, type ModelOutput, text } from '../index.ts'

const about = { name: 'read_page', description: 'Reads.', args: Type.Object({}), execute: () => ({ bytes: new Uint8Array(1) }) }

// toModelOutput may return a string, a part, a list of parts, or a promise of one of these.
defineTool({ ...about, toModelOutput: ({ bytes }) => [text('Page 1'), image({ mediaType: 'image/png', data: bytes })] })
defineTool({ ...about, toModelOutput: async ({ bytes }) => file({ mediaType: 'application/pdf', data: bytes, name: 'a.pdf' }) })
defineTool({
  ...about,
  toModelOutput: ({ bytes }) => (bytes.length === 0 ? 'Empty.' : image({ mediaType: 'image/png', data: bytes })),
})
// @ts-expect-error This is a block of another protocol.
defineTool({ ...about, toModelOutput: () => ({ type: 'image' as const, mimeType: 'image/png', data: 'AAAA' }) })
// @ts-expect-error A number isn't content.
defineTool({ ...about, toModelOutput: () => 5 })

// @ts-expect-error A media part has only one source.
image({ mediaType: 'image/png', base64: 'AAAA', url: 'https://example.com' })
// @ts-expect-error A media part needs a source.
image({ mediaType: 'image/png' })
// @ts-expect-error An image has no name.
image({ mediaType: 'image/png', base64: 'AAAA', name: 'a.png' })

declare const value: unknown
if (isContent(value)) value satisfies ContentPart | readonly ContentPart[] satisfies ModelOutput
