/** AI SDK: calls `parsePartialJson` on all text so far, as its `useChat` does with each delta. */
import { parsePartialJson } from 'ai'

export async function read({ deltas }, show) {
  let text = ''
  let partial
  for (const delta of deltas) {
    text += delta
    partial = (await parsePartialJson(text)).value
    show(partial)
  }
  return partial
}
