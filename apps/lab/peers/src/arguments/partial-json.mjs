/** partial-json: `parse` of all of the text so far, with all that may be open allowed to be. TanStack AI streams with it. */
import { parse } from 'partial-json'

export function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    partial = parse(text)
    show(partial)
  }
  return partial
}
