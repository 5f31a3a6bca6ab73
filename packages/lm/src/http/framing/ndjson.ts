/** Reads newline-delimited JSON: one event per line. */
import { LMError } from '../../errors.ts'
import type { Host } from '../host.ts'
import { type FrameReader, MAX_EVENT_LENGTH, parseEvent } from './framing.ts'

/** Creates a reader. It skips empty lines and accepts a last line without a line break. */
export function createNDJSONReader(host: Host, maxEventLength: number = MAX_EVENT_LENGTH): FrameReader {
  const decoder = new TextDecoder()
  // Pieces of the current line, which are joined when the line ends.
  let open: string[] = []
  let openLength = 0
  function* read(text: string): Generator<unknown> {
    const lines = text.split('\n')
    const last = lines.pop() as string
    for (const line of lines) yield* close(line, false)
    open.push(last)
    openLength += last.length
    if (openLength > maxEventLength)
      throw new LMError('invalid_reply', `${host.name} sent a line of more than ${maxEventLength} characters.`)
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
