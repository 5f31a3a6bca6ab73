/** A workload of the `wire` bench: parses one long streamed call, from the text of its events to its arguments. */
import type { Workload } from '../bench.ts'

/** The exports of a subject's module. */
export interface StreamSubject {
  /** Parses the events of one reply. Returns the arguments of its call. */
  readStream(wire: string, events: readonly string[]): string | undefined
  /** True only for the base, which parses every event and assembles nothing. */
  readonly onlyParses?: boolean
}

export function openWireStream(subject: StreamSubject, wire: string, events: readonly string[], text: string): Workload {
  const read = () => {
    const found = subject.readStream(wire, events)
    if (!subject.onlyParses && found !== text)
      throw new Error(`Not the same work: ${found?.length ?? 0} of ${text.length} characters were returned.`)
  }
  return { units: 1, verify: async () => read(), run: async () => read() }
}
