import { file, image, text } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { chatAdapter } from '../adapters/chat.ts'
import { jsonAdapter } from '../adapters/json.ts'
import { nativeAdapter } from '../adapters/native.ts'
import { textAdapter } from '../adapters/text.ts'
import { hermes } from '../dialects/hermes.ts'
import { defineSignature } from './define-signature.ts'
import { File, Image, mediaFieldFault } from './media-fields.ts'
import { fieldKind, isOptionalField } from './tool-fields.ts'

const png = image({ mediaType: 'image/png', base64: 'AAAA' })
const jpeg = image({ mediaType: 'image/jpeg', url: 'https://example.com/a.jpg' })
const pdf = file({ mediaType: 'application/pdf', base64: 'AAAA', name: 'bill.pdf' })
const outputs = { answer: Type.String() }
const adapters = [nativeAdapter, textAdapter(hermes), chatAdapter, jsonAdapter]

/** Returns the message that contains the inputs. */
const written = (adapter: (typeof adapters)[number], inputs: Record<string, object>, values: object) =>
  adapter.format(defineSignature({ instructions: 'Look.', inputs: inputs as never, outputs }), values as never).messages.at(-1)

describe('an image or a file as an input', () => {
  it.each(adapters)('follows its marker, with adapter $name', (adapter) => {
    const inputs = { question: Type.String(), photo: Image(), bill: Type.Optional(File()), note: Type.Optional(Type.String()) }
    const section = (name: string) => `[[ ## ${name} ## ]]`
    expect(written(adapter, inputs, { question: 'What is it?', photo: png, bill: pdf, note: 'Short.' })).toEqual({
      role: 'user',
      content: `${section('question')}\nWhat is it?\n\n${section('photo')}\n[image/png]\n${section('bill')}\n[bill.pdf, application/pdf]\n${section('note')}\nShort.`,
      parts: [
        text(`${section('question')}\nWhat is it?\n\n${section('photo')}`),
        png,
        text(section('bill')),
        pdf,
        text(`${section('note')}\nShort.`),
      ],
    })
    expect(written(adapter, inputs, { question: 'What is it?', photo: png })).toMatchObject({ parts: [{ type: 'text' }, png] })
  })

  it.each(adapters.filter(({ name }) => name !== 'chat'))(
    'is the whole message if it is the only input, with adapter $name',
    (adapter) => {
      expect(written(adapter, { photo: Image() }, { photo: png })).toEqual({ role: 'user', content: '[image/png]', parts: [png] })
    },
  )

  it.each(adapters)('leaves a message without images as text, with adapter $name', (adapter) => {
    const inputs = { question: Type.String(), photo: Type.Optional(Image()) }
    const message = written(adapter, inputs, { question: 'Who?' })
    expect(message).toEqual({ role: 'user', content: expect.stringMatching(/Who\?$/) })
  })

  it('may be declared as a list', () => {
    const inputs = { photos: Type.Array(Image()) }
    expect(written(nativeAdapter, inputs, { photos: [png, jpeg] })).toMatchObject({ parts: [png, jpeg] })
    expect(written(chatAdapter, inputs, { photos: [] })).toEqual({ role: 'user', content: '[[ ## photos ## ]]' })
  })

  it('may be given in an example', () => {
    const examples = [{ inputs: { photo: jpeg }, outputs: { answer: 'A cat.' } }]
    const signature = defineSignature({ instructions: 'Look.', inputs: { photo: Image() }, outputs, examples })
    const { messages } = nativeAdapter.format(signature, { photo: png })
    expect(messages.map((message) => ('parts' in message ? message.parts : message.content))).toEqual([
      'Look.',
      [jpeg],
      'A cat.',
      [png],
    ])
    const wrong = [{ inputs: { photo: pdf as never } }]
    expect(() => defineSignature({ instructions: '', inputs: { photo: Image() }, outputs, examples: wrong })).toThrow(
      'defineSignature: examples[0].inputs.photo must be an image.',
    )
    const missing = [{ inputs: {} as never }]
    expect(() => defineSignature({ instructions: '', inputs: { photo: Image() }, outputs, examples: missing })).toThrow(
      'is missing the input "photo"',
    )
  })

  it('is described by its name and its description', () => {
    const inputs = { photo: Image({ description: 'The front of the house.' }), scans: Type.Array(File()) }
    const system = (adapter: (typeof adapters)[number]) =>
      adapter.format(defineSignature({ instructions: 'Look.', inputs, outputs }), { photo: png, scans: [] }).messages[0]?.content
    expect(system(nativeAdapter)).toContain('- photo: The front of the house.')
    expect(system(chatAdapter)).toContain('[[ ## photo ## ]]\n(image) The front of the house.\n\n[[ ## scans ## ]]\n(files)')
  })

  it('is refused as an output', () => {
    const define = () => defineSignature({ instructions: '', inputs: {}, outputs: { photo: Image() } })
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_tool_fields', field: 'photo' }))
  })
})

describe('mediaFieldFault', () => {
  const field = File({ mediaTypes: ['application/pdf', 'audio/*'], maxBytes: 3 })

  it.each<[string, object, unknown]>([
    ['an image', Image(), png],
    ['a URL of any size', Image({ maxBytes: 1 }), jpeg],
    ['a file of a listed media type', field, pdf],
    ['a file whose media type matches a wildcard', field, file({ mediaType: 'Audio/WAV', base64: 'AAAA' })],
    ['a list of images', Type.Array(Image()), [png, jpeg]],
    ['an empty list of files', Type.Array(File()), []],
    ['any value in a field of another kind', Type.String(), 5],
  ])('accepts %s', (_what, schema, value) => {
    expect(mediaFieldFault(schema, value)).toBeUndefined()
  })

  it.each<[string, object, unknown, string]>([
    ['a string', Image(), 'photo.png', 'must be an image. Write image({ mediaType, data })'],
    ['a text part', Image(), text('photo'), 'must be an image.'],
    ['a file for an image', Image(), pdf, 'must be an image.'],
    ['an image for a file', field, png, 'must be a file. Write file({ mediaType, data })'],
    ['a list instead of one image', Image(), [png], 'must be an image.'],
    ['one image instead of a list', Type.Array(Image()), png, 'must be a list'],
    ['a wrong item of a list', Type.Array(Image()), [png, pdf], '[1] must be an image.'],
    [
      'an unlisted media type',
      field,
      file({ mediaType: 'video/mp4', base64: 'AAAA' }),
      'must have one of the media types application/pdf, audio/*, but has video/mp4',
    ],
    ['too many bytes', field, file({ mediaType: 'audio/wav', base64: 'AAAAAAA=' }), 'must have at most 3 bytes, but has 5'],
    [
      'invalid base64',
      Image(),
      { ...png, source: { base64: 'no' } },
      "can't be sent: Part 1 of 1: the data of an image must be base64",
    ],
  ])('describes %s', (_what, schema, value, words) => {
    expect(mediaFieldFault(schema, value)).toContain(words)
  })

  it('is part of the message that an adapter throws', () => {
    const format = () =>
      nativeAdapter.format(defineSignature({ instructions: '', inputs: { photo: Image() }, outputs }), { photo: pdf as never })
    expect(format).toThrow('The input "photo" must be an image. Write image({ mediaType, data }).')
  })

  it('has a limit of 10 MiB by default', () => {
    const data = new Uint8Array(10 * 1024 * 1024 + 1)
    expect(mediaFieldFault(Image(), image({ mediaType: 'image/png', data }))).toBe(
      'must have at most 10485760 bytes, but has 10485761',
    )
    expect(mediaFieldFault(Image(), image({ mediaType: 'image/png', data: data.subarray(1) }))).toBeUndefined()
  })
})

describe('Image and File', () => {
  it('are fields of the kind media, also as JSON and in a list', () => {
    for (const field of [Image(), File(), Type.Array(Image()), Type.Optional(File()), JSON.parse(JSON.stringify(Image()))])
      expect(fieldKind(field)).toBe('media')
    expect(isOptionalField(Type.Optional(Image()))).toBe(true)
    expect(fieldKind(Type.Array(Type.String()))).toBe('value')
  })

  it.each<[string, () => unknown, string]>([
    ['an invalid media type', () => Image({ mediaTypes: ['png'] }), 'Image: mediaTypes must be a list of media types'],
    ['an empty list of media types', () => File({ mediaTypes: [] }), 'File: mediaTypes must be a list'],
    ['a media type of files for an image', () => Image({ mediaTypes: ['application/pdf'] }), 'is not a media type for an image'],
    [
      'a media type of images for a file',
      () => File({ mediaTypes: ['Image/*'] }),
      'is not a media type for a file. Use Image() for images',
    ],
    ['a size of zero', () => File({ maxBytes: 0 }), 'File: maxBytes must be a whole number above 0'],
    ['null instead of options', () => Image(null as never), 'Image: the options must be an object'],
  ])('refuse %s', (_what, define, words) => {
    expect(define).toThrow(words)
  })
})
