import { type FilePart, file, type ImagePart, image } from '@x/tool-core'
import { Type } from 'typebox'
import { defineSignature, File, Image, type InputsOf, nativeAdapter } from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

const read = defineSignature({
  instructions: 'Read the bill.',
  inputs: { bill: File({ mediaTypes: ['application/pdf'] }), photos: Type.Array(Image()), logo: Type.Optional(Image()) },
  outputs: { total: Type.Number() },
})
expectType<Equal<InputsOf<typeof read>, { logo?: ImagePart; bill: FilePart; photos: ImagePart[] }>>()

const bill = file({ mediaType: 'application/pdf', base64: 'AAAA' })
const logo = image({ mediaType: 'image/png', base64: 'AAAA' })
nativeAdapter.format(read, { bill, photos: [logo], logo })
// @ts-expect-error A file isn't an image.
nativeAdapter.format(read, { bill, photos: [bill] })
// @ts-expect-error A path isn't a file.
nativeAdapter.format(read, { bill: 'bill.pdf', photos: [] })
