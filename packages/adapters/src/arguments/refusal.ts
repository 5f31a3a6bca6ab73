/** A refused text: the place, what stands there, and a sentence for the model that wrote it. */
import type { Refusal } from './result.ts'
import type { ArgumentErrorCode } from './tags.ts'

/** The most that a refusal quotes. */
export const EXCERPT = 60

/** Ends the reading of a text, from wherever it is. No `Error`: a refusal is an answer, and needs no stack. */
export class Refused {
  readonly code: ArgumentErrorCode
  readonly at: number
  readonly detail: string | undefined

  constructor(code: ArgumentErrorCode, at: number, detail?: string) {
    this.code = code
    this.at = at
    this.detail = detail
  }
}

/** What is wrong, reading on from `The arguments`, and what to do about it. */
const SENTENCES: Readonly<Record<ArgumentErrorCode, readonly [fault: string, remedy: string]>> = {
  truncated: ['were cut off, or a text in them lacks its closing quote', 'Make the call again, shorter if need be.'],
  elided: ['leave data out ("...")', 'Write all of it.'],
  missing_value: ['lack a value', 'Write one behind each colon and between commas.'],
  missing_colon: ['lack a colon behind a key', 'Write "key": value.'],
  missing_comma: ['lack a comma between two members', 'Put one between them.'],
  multiple_values: ['hold more than one value', 'Write one JSON object, and make one call for each.'],
  bad_number: ['hold a number that JSON does not know', 'Write numbers as 7, -0.5 or 1e3, anything else in double quotes.'],
  not_json_value: ['hold a value that JSON does not know', 'Use a number, a text, true, false or null.'],
  unquoted_value: ['hold words without quotes', 'Put texts in double quotes, and write values, not expressions.'],
  bad_escape: ['hold an escape that JSON does not know', 'Write a backslash in a text as \\\\.'],
  unescaped_quote: ['hold a quote inside a text that is not escaped', 'Write it as \\".'],
  bad_key: ['hold something that is no key', 'Write each key in double quotes.'],
  mismatched_close: ['have brackets that do not match', 'Close each bracket by its own kind.'],
  unexpected_character: ['hold a character that does not belong there', 'Write one JSON object.'],
  trailing_text: ['are followed by other text', 'Write one JSON object, and nothing else.'],
  empty: ['are empty', 'Write one JSON object.'],
  not_an_object: ['are no object', 'Write one JSON object.'],
  repeated_key: ['hold a key twice, with different values', 'Write each key once.'],
  undeclared_key: ['hold an argument that is not declared', 'Use the names of the schema.'],
  forbidden_key: ['hold a key that is not allowed ("__proto__" or "constructor.prototype")', 'Leave it out.'],
  too_deep: ['are nested too deep', 'Write them flatter.'],
  too_large: ['are too large', 'Send less at once.'],
}

/** Codes of the text as a whole: a place in it would say nothing. */
const OF_THE_WHOLE: readonly ArgumentErrorCode[] = ['truncated', 'empty', 'not_an_object', 'undeclared_key', 'too_large']

/** `detail` ends the first sentence: `at most 512 levels`. */
export function toRefusal(text: string, code: ArgumentErrorCode, at: number, detail?: string): Refusal {
  const place = Math.max(0, Math.min(at, text.length))
  const start = Math.max(0, Math.min(place - EXCERPT / 2, text.length - EXCERPT))
  const [fault, remedy] = SENTENCES[code]
  const where = OF_THE_WHOLE.includes(code) ? '' : ` (at character ${place})`
  const which = detail === undefined ? '' : `: ${detail}`
  const message = `The arguments ${fault}${where}${which}. ${remedy}`
  return { ok: false, code, at: place, excerpt: text.slice(start, start + EXCERPT), message }
}
