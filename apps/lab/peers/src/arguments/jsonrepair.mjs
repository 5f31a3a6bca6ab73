/** jsonrepair: repairs and parses all text so far. If it can't repair the text, the last value stays. */
import { jsonrepair } from 'jsonrepair'

/** It treats a quote inside an open string as its end, and drops or renames what follows. */
export const guesses = true

export function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    try {
      partial = JSON.parse(jsonrepair(text))
    } catch {
      // Text that ends inside an escape.
    }
    show(partial)
  }
  return partial
}
