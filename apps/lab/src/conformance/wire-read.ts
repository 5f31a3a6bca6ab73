/** Reads a recorded reply or stream by a wire format, as `createLM` does. */
import { collectDeltas, type LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import type { WireCase } from './wire-case.ts'

/** The error of a reply that failed is the one in its body. */
export function readReply(wire: WireFormat, { chunks, body, http_status: status = 200 }: WireCase): LMResponse {
  if (chunks !== undefined) return readStream(wire, chunks)
  const response = wire.decode(body)
  return status < 400 || wire.decodeError === undefined ? response : { ...response, error: wire.decodeError(body) }
}

export function readStream(wire: WireFormat, events: readonly unknown[]): LMResponse {
  const decoder = wire.streamDecoder?.()
  if (decoder === undefined) throw new TypeError(`wire format "${wire.name}" reads no streams`)
  const deltas = events.flatMap((event) => [...decoder.push(event)])
  return collectDeltas([...deltas, ...decoder.end()])
}
