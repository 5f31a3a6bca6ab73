/** The readers of all framings by name. */
import type { Framing } from '@x/adapters/wire'
import { createAWSReader } from './aws-event-stream.ts'
import type { CreateFrameReader } from './framing.ts'
import { createNDJSONReader } from './ndjson.ts'
import { createSSEReader } from './sse.ts'

export const FRAMINGS: Readonly<Record<Framing, CreateFrameReader>> = {
  sse: createSSEReader,
  ndjson: createNDJSONReader,
  'aws-event-stream': createAWSReader,
}
