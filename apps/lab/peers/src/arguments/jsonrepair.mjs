/** jsonrepair: repairs and parses all text so far. Keeps the last value if the text can't be repaired. */
import { jsonrepair } from 'jsonrepair'

/** jsonrepair guesses: it treats a quote inside an open string as the end of that string, and drops or renames the text after it. */
export const guesses = true

export function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    try {
      partial = JSON.parse(jsonrepair(text))
    } catch {
      // The text ends inside an escape.
    }
    show(partial)
  }
  return partial
}
