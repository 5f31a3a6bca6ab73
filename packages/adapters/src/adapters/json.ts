/** The JSON adapter. It asks for all outputs as one JSON object, in the API's JSON mode where that exists. */

import { recoverJson } from '../arguments/recover.ts'
import type { ParsedJson, RecoveredJson } from '../arguments/result.ts'
import { isRecord } from '../is-record.ts'
import {
  describeInputs,
  describeOneText,
  fieldsOf,
  formatOutputs,
  hasCalls,
  isOneText,
  isTextNextToCalls,
  joinParts,
} from '../signature/fields.ts'
import { outputsSchema } from '../signature/outputs-schema.ts'
import type { Signature } from '../signature/signature.ts'
import { formatInputs } from '../signature/write-inputs.ts'
import type { Adapter } from './adapter.ts'
import { toNativeAdapter } from './native.ts'
import { readObject } from './read-object.ts'
import { readSections } from './read-sections.ts'
import type { ReadOutputs } from './wording.ts'

/**
 * Asks for one JSON object with a key per output, in the prompt and with `responseFormat`. If the signature has a `ToolCalls()`
 * field, only the prompt asks for it: a JSON-only reply can't contain calls, and several APIs reject the combination. A single
 * text output next to calls is plain text. Replies in other forms are read as by `nativeAdapter`.
 */
export const jsonAdapter: Adapter = toNativeAdapter({
  name: 'json',
  instructions: (signature) => joinParts(signature.instructions, describeInputs(signature), outputForm(signature)),
  inputs: formatInputs,
  outputs: (signature, outputs) => (isTextNextToCalls(signature) ? formatOutputs(signature, outputs) : JSON.stringify(outputs)),
  describeOutputs: outputForm,
  responseFormat: (signature) =>
    hasCalls(signature) || fieldsOf(signature.outputs, 'value').length === 0
      ? undefined
      : { type: 'json', schema: outputsSchema(signature) },
  read: readJson,
})

function outputForm(signature: Signature): string {
  const [only] = fieldsOf(signature.outputs, 'value')
  if (only === undefined) return ''
  if (isTextNextToCalls(signature)) return describeOneText(only)
  return `Reply with one JSON object that matches this schema, and nothing else:\n${JSON.stringify(outputsSchema(signature))}`
}

/**
 * Reads the JSON object. If the reply isn't an object, it may be the value of the only field, or contain fields under markers.
 */
function readJson(signature: Signature, text: string, isComplete: boolean | undefined): ReadOutputs {
  const fields = fieldsOf(signature.outputs, 'value').map(([field]) => field)
  const read = recoverJson(text, { complete: isComplete })
  if (read.ok && isReply(signature, fields, read, isComplete)) {
    const object = readObject(signature, read.value as Record<string, unknown>, 'Add it to the JSON object.')
    const recovered = read.tags.length === 0 ? [] : Object.keys(object.values).map((field) => ({ field, tags: read.tags }))
    return { ...object, recovered }
  }
  const sections = isBrokenObject(signature, text, read, isComplete) ? NOTHING : readSections(signature, text, isComplete)
  const [field] = fields
  if (field === undefined || (sections !== NOTHING && sections.errors.length === 0)) return sections
  const place = read.ok ? '' : ` (${read.code} at character ${read.at})`
  const message = `The reply is not a JSON object with the fields ${fields.join(', ')}${place}. Write that object and nothing else.`
  return { ...sections, errors: [{ code: 'invalid_output', field, message }] }
}

const NOTHING: ReadOutputs = { values: {}, errors: [], recovered: [] }

/** Returns true if the reply is a malformed object, which must not become the text of the only field. */
function isBrokenObject(signature: Signature, text: string, read: ParsedJson, isComplete?: boolean): boolean {
  const isRead = read.ok && (isComplete === true || !read.tags.includes('missing_close'))
  return !isRead && !isTextNextToCalls(signature) && /^(?:```\w*\s*)?\{/.test(text.trimStart())
}

/**
 * Returns true for a complete object that contains at least one field. If the only output is text, its value must be a string. If
 * the signature also has calls, there must be no text around the object.
 */
function isReply(signature: Signature, fields: readonly string[], { value, tags }: RecoveredJson, isComplete?: boolean): boolean {
  if (!isRecord(value) || (tags.includes('missing_close') && isComplete !== true)) return false
  const present = fields.filter((field) => Object.hasOwn(value, field))
  if (!isOneText(signature)) return present.length > 0
  if (isTextNextToCalls(signature) && tags.includes('surrounding_text')) return false
  return present.some((field) => typeof value[field] === 'string')
}
