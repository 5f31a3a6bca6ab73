/** What means something in a dialect, found in a call that it writes. */
import type { Dialect } from '../../dialects/dialect.ts'
import { ensure } from '../contract-error.ts'

/** Its markers, whole and in part, and whole calls: what must not be read when it stands inside of a text. */
export function fragmentsOf(dialect: Dialect): readonly string[] {
  const call = { id: 'call_0', name: 'look_up', arguments: '{"query": "tea"}' }
  const formatted = dialect.formatCall(call)
  if (!formatted.ok) ensure(false, `The call look_up({"query": "tea"}) was refused: ${formatted.code}, ${formatted.message}`)
  const { text } = formatted
  const markers = text.match(/[<[][^\n]{0,60}?[>\]]|\w+:|call:|```\w*/g) ?? []
  return [...new Set([...markers, ...markers.map((marker) => marker.slice(0, -1)), text, text.slice(0, text.length >> 1)])]
}
