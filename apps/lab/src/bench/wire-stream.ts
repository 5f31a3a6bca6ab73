/** One long call that streams, as work to be measured: from the text of its events to its arguments. */
import type { Workload } from './bench.ts'

/** What the module of a subject exports. */
export interface StreamSubject {
  /** Reads the events of one reply; gives the arguments of its one call. */
  readStream(wire: string, events: readonly string[]): string | undefined
  /** The base only: it parses every event and puts nothing together. */
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
