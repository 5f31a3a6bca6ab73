/** Converts the events of a streamed reply to deltas, and tracks whether the reply is complete. */
import type { LMDelta } from '@x/adapters'
import type { StreamDecoder } from '@x/adapters/wire'
import { hasContent } from '../open-stream.ts'

/** Functions that are applied to the decoder and its results. */
export interface Checks {
  /** Calls `decode` and converts its errors. */
  reading<T>(decode: () => T): T
  /** Returns the delta. Throws if it is an error. */
  checked(delta: LMDelta): LMDelta
  /** Called for each delta with content, and for the finish reason. */
  onContent(): void
}

export interface DeltaReader {
  /** Yields the deltas of these events in batches, because yielding them one by one takes longer than reading them. */
  read(events: Iterable<unknown>): Generator<readonly LMDelta[]>
  /** Ends the stream. `isDone` is true if the host sent its end marker. */
  end(isDone: boolean): readonly LMDelta[]
  /** True after the model has sent a finish reason. */
  readonly isComplete: boolean
  /** True if no content has followed the finish reason. Some hosts send a finish reason in every chunk. */
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
      // If a later event is invalid, the deltas before it are still yielded.
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
