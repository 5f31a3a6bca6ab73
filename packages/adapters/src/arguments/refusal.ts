/** Creates refusals of argument text, with a code, a position, an excerpt and a message for the model. */
import type { Refusal } from './result.ts'
import type { ArgumentErrorCode } from './tags.ts'

/** Maximum length of the excerpt in a refusal, in characters. */
export const EXCERPT = 60

/** Thrown to stop the scanner at any depth. It isn't an `Error`, because a refusal is a result and needs no stack. */
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

/** For each code: the end of a sentence that starts with `The arguments`, and how to fix the text. */
const SENTENCES: Readonly<Record<ArgumentErrorCode, readonly [fault: string, remedy: string]>> = {
  truncated: [
    'were truncated, or a string in them has no closing quote',
    'Call the tool again, with shorter arguments if needed.',
  ],
  elided: ['leave out data ("...")', 'Write the data in full.'],
  missing_value: ['are missing a value', 'Write a value after each colon and between commas.'],
  missing_colon: ['are missing a colon after a key', 'Write "key": value.'],
  missing_comma: ['are missing a comma between two members', 'Put a comma between them.'],
  multiple_values: ['contain more than one value', 'Write one JSON object per call.'],
  bad_number: ['contain a number that is not valid JSON', 'Write numbers as 7, -0.5 or 1e3, and anything else in double quotes.'],
  not_json_value: ['contain a value that is not valid JSON', 'Use a number, a string, true, false or null.'],
  unquoted_value: ['contain unquoted text', 'Put strings in double quotes, and write values, not expressions.'],
  bad_escape: ['contain an escape that is not valid JSON', 'Write a backslash in a string as \\\\.'],
  unescaped_quote: [
    'contain a quote or a comment that can be read in more than one way',
    'Write a quote inside a string as \\", close every string, and leave out comments.',
  ],
  bad_key: ['contain an invalid key', 'Write each key in double quotes.'],
  mismatched_close: ['have mismatched brackets', 'Close each bracket with one of the same kind.'],
  unexpected_character: ['contain an unexpected character', 'Write one JSON object.'],
  trailing_text: ['are followed by other text', 'Write one JSON object and nothing else.'],
  empty: ['are empty', 'Write one JSON object.'],
  not_an_object: ['are not a JSON object', 'Write one JSON object.'],
  repeated_key: ['contain the same key twice with different values', 'Write each key once.'],
  undeclared_key: ['contain an undeclared argument', 'Use the names in the schema.'],
  forbidden_key: ['contain a forbidden key ("__proto__" or "constructor.prototype")', 'Remove it.'],
  too_deep: ['are nested too deeply', 'Use a flatter structure.'],
  too_large: ['are too large', 'Send less data in one call.'],
}

/** Codes about the text as a whole. Their messages contain no position. */
const OF_THE_WHOLE: readonly ArgumentErrorCode[] = ['truncated', 'empty', 'not_an_object', 'undeclared_key', 'too_large']

/** Creates a refusal. `detail` is added to the first sentence of the message, for example `at most 512 levels`. */
export function toRefusal(text: string, code: ArgumentErrorCode, at: number, detail?: string): Refusal {
  const place = Math.max(0, Math.min(at, text.length))
  const start = Math.max(0, Math.min(place - EXCERPT / 2, text.length - EXCERPT))
  const [fault, remedy] = SENTENCES[code]
  const where = OF_THE_WHOLE.includes(code) ? '' : ` (at character ${place})`
  const which = detail === undefined ? '' : `: ${detail}`
  const message = `The arguments ${fault}${where}${which}. ${remedy}`
  return { ok: false, code, at: place, excerpt: text.slice(start, start + EXCERPT), message }
}
