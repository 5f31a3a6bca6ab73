/** The chat adapter. It writes every field under a marker, and uses the API's function calling. */

import {
  describeOneText,
  describeSection,
  fieldsOf,
  formatOutputs,
  formatSections,
  inputFields,
  isTextNextToCalls,
  joinParts,
  marker,
} from '../signature/fields.ts'
import type { Signature } from '../signature/signature.ts'
import { formatInputSections } from '../signature/write-inputs.ts'
import type { Adapter } from './adapter.ts'
import { readMarkedFields } from './marked-fields.ts'
import { toNativeAdapter } from './native.ts'
import { readSections } from './read-sections.ts'

/**
 * Writes each input under a marker `[[ ## name ## ]]`. Asks for each output in the same form, followed by an end marker. If the
 * signature has a `ToolCalls()` field and a single text output, that output needs no marker: its value is all text next to the
 * calls. Accepts the same deviations as `nativeAdapter`.
 */
export const chatAdapter: Adapter = toNativeAdapter({
  name: 'chat',
  instructions: (signature) => joinParts(signature.instructions, inputForm(signature), outputForm(signature)),
  inputs: formatInputSections,
  outputs: (signature, outputs) =>
    isTextNextToCalls(signature)
      ? formatOutputs(signature, outputs)
      : [formatSections(Object.entries(outputs)), endOf(signature)].join('\n\n').trimEnd(),
  describeOutputs: outputForm,
  readFields: readMarkedFields,
  read: (signature, text, isComplete) => {
    const [kept, isEnded] = beforeEnd(signature, text)
    return readSections(signature, kept, isEnded ? true : isComplete)
  },
})

const END = 'completed'

/** Returns the end marker, or an empty string if an output has the same name as the end marker. */
function endOf(signature: Signature): string {
  return Object.hasOwn(signature.outputs, END) ? '' : marker(END)
}

/** Returns the text before the end marker, and whether there was an end marker. */
function beforeEnd(signature: Signature, text: string): [kept: string, isEnded: boolean] {
  const end = endOf(signature)
  const kept = text.trimEnd()
  return end !== '' && kept.endsWith(end) ? [kept.slice(0, -end.length), true] : [text, false]
}

function inputForm(signature: Signature): string {
  const sections = inputFields(signature).map(describeSection)
  return sections.length === 0 ? '' : `Your input comes in sections, each under its marker:\n\n${sections.join('\n\n')}`
}

function outputForm(signature: Signature): string {
  const fields = fieldsOf(signature.outputs, 'value')
  const [only] = fields
  if (only === undefined) return ''
  if (isTextNextToCalls(signature)) return describeOneText(only)
  const sections = [...fields.map(describeSection), endOf(signature)].filter((section) => section !== '')
  return `Write your reply in sections, each under its marker on its own line, in this order:\n\n${sections.join('\n\n')}`
}
