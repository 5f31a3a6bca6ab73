/** A workload of the `wire` bench: parses one long streamed call, from the text of its events to its arguments. */
import type { Workload } from '../bench.ts'

/** The exports of a subject's module. */
export interface StreamSubject {
  /** Parses the events of one reply. Returns the arguments of its call. */
  readStream(wire: string, events: readonly string[]): string | undefined
  /** True only for the baseline, which parses every event but doesn't assemble the call. */
  readonly onlyParses?: boolean
}

export function openWireStream(subject: StreamSubject, wire: string, events: readonly string[], text: string): Workload {
  const read = () => {
    const found = subject.readStream(wire, events)
    if (!subject.onlyParses && found !== text)
      throw new Error(
        `The subject did different work: its arguments (${found?.length ?? 0} characters) differ from those sent (${text.length} characters).`,
      )
  }
  return { units: 1, verify: async () => read(), run: async () => read() }
}
