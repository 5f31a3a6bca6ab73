/** Compares calls. Arguments that differ only in whitespace, escapes or key order count as the same. */

import type { RawToolCall } from '@x/adapters'
import { canonicalJson } from '@x/tool-core'

/** A call as the model wrote it. */
export type WrittenCall = Pick<RawToolCall, 'name' | 'arguments'>

/** Returns the same key for identical calls. Arguments that aren't JSON, or whose numbers would lose digits, are compared as text. */
export function callKey({ name, arguments: text }: WrittenCall): string {
  try {
    const args: unknown = JSON.parse(text)
    return `${name} ${isLossy(text) ? text : canonicalJson(args)}`
  } catch {
    return `${name} ${text}`
  }
}

const LOSSY_NUMBER = /\d{16}|\d[eE]/
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Returns true if parsing this JSON may lose digits of a number. Two different numbers could then compare as equal. */
function isLossy(json: string): boolean {
  return LOSSY_NUMBER.test(json) && LOSSY_NUMBER.test(json.replace(STRINGS, '""'))
}
