/** Converts the events of one streamed reply to deltas, and tracks how far the reply has come. */
import type { LMDelta } from '@x/adapters'
import type { StreamDecoder } from '@x/adapters/wire'
import { hasContent } from '../open-stream.ts'

/** Functions that are applied to the results of the decoder. */
export interface Checks {
  /** Calls `decode`, and wraps its errors. */
  reading<T>(decode: () => T): T
  /** Throws if the delta is an error. */
  checked(delta: LMDelta): LMDelta
  /** Called for each delta that has content, and for the finish. */
  onContent(): void
}

export interface DeltaReader {
  /** Yields the deltas of all these events in batches, because yielding a delta on its own costs more than reading it. */
  read(events: Iterable<unknown>): Generator<readonly LMDelta[]>
  /** Ends the stream. `isDone` is true if the host marked the end. */
  end(isDone: boolean): readonly LMDelta[]
  /** True after the model has sent a finish reason. */
  readonly isComplete: boolean
  /** True if no content has followed the finish reason. Some hosts send a finish reason with each chunk. */
  readonly isAtEnd: boolean
}

export function createDeltaReader(decoder: StreamDecoder, { reading, checked, onContent }: Checks): DeltaReader {
  let isComplete = false
  let isAtEnd = false
  function* read(events: Iterable<unknown>): Generator<readonly LMDelta[]> {
    const deltas: LMDelta[] = []
    try {
      for (const event of events) {
        for (const delta of reading(() => decoder.push(event))) {
          if (delta.type === 'finish') isComplete = true
          if (delta.type === 'finish' || hasContent(delta)) {
            isAtEnd = delta.type === 'finish'
            onContent()
          }
          deltas.push(checked(delta))
        }
      }
    } finally {
      // If a later event is invalid, the deltas of the events before it are yielded first.
      if (deltas.length > 0) yield deltas
    }
  }
  return {
    read,
    end: (isDone) => reading(() => decoder.end(isDone)).map(checked),
    get isComplete() {
      return isComplete
    },
    get isAtEnd() {
      return isAtEnd
    },
  }
}
