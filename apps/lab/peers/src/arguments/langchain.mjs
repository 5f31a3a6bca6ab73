/** LangChain: calls `parsePartialJson` on all text so far. */
import { parsePartialJson } from '@langchain/core/output_parsers'

export function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    partial = parsePartialJson(text)
    show(partial)
  }
  return partial
}
