/** Lines of JSON: one event on each. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'
import { type FrameReader, MAX_EVENT_LENGTH, parseEvent } from './framing.ts'

/** Empty lines are left out; the last line may lack its end. */
export function createNDJSONReader(host: Host, maxEventLength: number = MAX_EVENT_LENGTH): FrameReader {
  const decoder = new TextDecoder()
  // The pieces of the line that has not ended; joined once, however many there are.
  let open: string[] = []
  let openLength = 0
  function* read(text: string): Generator<unknown> {
    const lines = text.split('\n')
    const last = lines.pop() as string
    for (const line of lines) yield* close(line, false)
    open.push(last)
    openLength += last.length
    if (openLength > maxEventLength) throw new LMError('invalid_reply', `${host.name} sent a line without an end.`)
  }
  function* close(rest: string, isLast: boolean): Generator<unknown> {
    const line = open.join('') + rest
    open = []
    openLength = 0
    if (line.trim() !== '') yield parseEvent(line, host, isLast)
  }
  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end: () => close(decoder.decode(), true),
    isDone: false,
  }
}
