/** partial-json: calls `parse` on all text so far, and allows everything to be incomplete. TanStack AI streams with it. */
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
