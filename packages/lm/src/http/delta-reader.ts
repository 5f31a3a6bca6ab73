/** The events of one streamed reply become deltas, and tell how far the reply is. */
import type { LMDelta } from '@x/adapters'
import type { StreamDecoder } from '@x/adapters/wire'
import { saysSomething } from '../open-stream.ts'

/** What is done with everything that the decoder is asked. */
export interface Checks {
  /** Throws in its own words what `decode` throws. */
  reading<T>(decode: () => T): T
  /** Throws where a delta is an error. */
  checked(delta: LMDelta): LMDelta
  /** Called for each event that says something. */
  heard(): void
}

export interface DeltaReader {
  /** The deltas of these events together: to hand each one on by itself costs more than to read it. */
  read(events: Iterable<unknown>): Generator<readonly LMDelta[]>
  /** The stream is over; `isDone` when its framing has said so. */
  end(isDone: boolean): readonly LMDelta[]
  /** The model has told why it stopped. */
  readonly isComplete: boolean
  /** And it has said nothing since: some hosts give a reason with each piece. */
  readonly isAtEnd: boolean
}

export function createDeltaReader(decoder: StreamDecoder, { reading, checked, heard }: Checks): DeltaReader {
  let isComplete = false
  let isAtEnd = false
  function* read(events: Iterable<unknown>): Generator<readonly LMDelta[]> {
    const deltas: LMDelta[] = []
    try {
      for (const event of events) {
        for (const delta of reading(() => decoder.push(event))) {
          if (delta.type === 'finish') isComplete = true
          if (delta.type === 'finish' || saysSomething(delta)) {
            isAtEnd = delta.type === 'finish'
            heard()
          }
          deltas.push(checked(delta))
        }
      }
    } finally {
      // Where an event is wrong, what those before it say comes before its error.
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
