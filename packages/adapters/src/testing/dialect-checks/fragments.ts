/** Finds strings with a meaning in a dialect, in samples and in a call that it writes. */
import type { Dialect } from '../../dialects/define/dialect.ts'
import { ensure } from '../contract-error.ts'
import type { DialectSample } from '../dialect-check.ts'

/** Returns strings that must not be parsed when they are inside a value: markers, whole calls, and the beginnings of both. */
export function fragmentsOf(dialect: Dialect, samples: readonly DialectSample[] = []): readonly string[] {
  const call = { id: 'call_0', name: 'look_up', arguments: '{"query": "tea"}' }
  const formatted = dialect.formatCall(call)
  if (!formatted.ok) ensure(false, `The call look_up({"query": "tea"}) was refused: ${formatted.code}, ${formatted.message}`)
  const { text } = formatted
  const texts = [text, ...samples.map((sample) => sample.text)]
  const markers = texts.flatMap((one) => one.match(/[<[][^\n]{0,60}?[>\]]|\w+:|call:|```\w*/g) ?? [])
  const halves = texts.flatMap((one) => [one, one.slice(0, one.length >> 1)])
  return [...new Set([...markers, ...markers.map((marker) => marker.slice(0, -1)), ...halves])]
}
