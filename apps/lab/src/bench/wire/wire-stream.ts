/** One long streamed call as measured work: from the text of its events to its arguments. */
import type { Workload } from '../bench.ts'

/** The exports of a subject's module. */
export interface StreamSubject {
  /** Parses the events of one reply. Returns the arguments of its call. */
  readStream(wire: string, events: readonly string[]): string | undefined
  /** Base only: parses every event and assembles nothing. */
  readonly onlyParses?: boolean
}

export function openWireStream(subject: StreamSubject, wire: string, events: readonly string[], text: string): Workload {
  const read = () => {
    const found = subject.readStream(wire, events)
    if (!subject.onlyParses && found !== text)
      throw new Error(`Not the same work: ${found?.length ?? 0} characters of ${text.length}.`)
  }
  return { units: 1, verify: async () => read(), run: async () => read() }
}
