/** jsonrepair: all of the text so far, repaired and parsed. What it cannot repair leaves the last value. */
import { jsonrepair } from 'jsonrepair'

/** It takes a quote in an open text for its end, and leaves out or renames what follows. */
export const guesses = true

export function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    try {
      partial = JSON.parse(jsonrepair(text))
    } catch {
      // A text that ends inside an escape.
    }
    show(partial)
  }
  return partial
}
