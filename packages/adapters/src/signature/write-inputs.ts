/** Writes the inputs of a signature as the content of a user message. Shared by all adapters. */
import { type ContentPart, isContent, valueAt } from '@x/tool-core'
import { toContent } from '../protocol/content.ts'
import type { UserMessage } from '../protocol/protocol.ts'
import { inputFields, marker, renderValue } from './fields.ts'
import { mediaFieldFault } from './media-fields.ts'
import type { Signature } from './signature.ts'
import { fieldKind, isOptionalField } from './tool-fields.ts'

/** Text, or content parts if any input is an image or a file. */
export type WrittenInputs = string | readonly ContentPart[]

/**
 * Writes a single field unchanged, and several fields under markers. Throws a TypeError if an input is missing, or if an image or
 * file is invalid.
 */
export function formatInputs(signature: Signature, inputs: object): WrittenInputs {
  const fields = givenInputs(signature, inputs)
  const [only] = fields
  if (only === undefined || fields.length > 1) return inSections(fields)
  return only.media ?? renderValue(only.value)
}

/** Writes each field under its marker. Throws the same errors as `formatInputs`. */
export function formatInputSections(signature: Signature, inputs: object): WrittenInputs {
  return inSections(givenInputs(signature, inputs))
}

export function toUserMessage(written: WrittenInputs): UserMessage {
  return { role: 'user', ...(typeof written === 'string' ? { content: written } : toContent(written)) }
}

interface GivenInput {
  readonly name: string
  readonly value: unknown
  /** The images or files of a media field. */
  readonly media?: readonly ContentPart[]
}

/** Returns the inputs that have a value, in the order of the signature. */
function givenInputs(signature: Signature, inputs: object): readonly GivenInput[] {
  const given: GivenInput[] = []
  for (const [name, schema] of inputFields(signature)) {
    const value = valueAt(inputs, [name])
    if (value === undefined) {
      if (isOptionalField(schema)) continue
      throw new TypeError(`The input "${name}" is missing. Pass it, or declare it as optional.`)
    }
    if (fieldKind(schema) !== 'media') {
      given.push({ name, value })
      continue
    }
    const fault = mediaFieldFault(schema, value)
    if (fault !== undefined) throw new TypeError(`The input "${name}" ${fault}.`)
    given.push({ name, value, media: isContent(value) ? [value].flat() : [] })
  }
  return given
}

/** Writes fields under markers. Images and files come after the marker of their field. */
function inSections(fields: readonly GivenInput[]): WrittenInputs {
  const parts: ContentPart[] = []
  let sections: string[] = []
  const closeText = () => {
    if (sections.length > 0) parts.push({ type: 'text', text: sections.join('\n\n') })
    sections = []
  }
  for (const { name, value, media } of fields) {
    if (media === undefined) {
      sections.push(`${marker(name)}\n${renderValue(value)}`)
      continue
    }
    sections.push(marker(name))
    if (media.length > 0) closeText()
    parts.push(...media)
  }
  if (parts.length === 0) return sections.join('\n\n')
  closeText()
  return parts
}
