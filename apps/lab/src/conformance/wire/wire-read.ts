/** Decodes a recorded reply or stream with a wire format. For a refused request, decodes the error like `createLM`. */
import { collectDeltas, type LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import type { WireCase } from './wire-case.ts'

/** Decodes a recorded reply. Any body with an HTTP status of 400 or above is an error. */
export function readReply(wire: WireFormat, { chunks, body, http_status: status = 200 }: WireCase): LMResponse {
  if (chunks !== undefined) return readStream(wire, chunks)
  if (status < 400) return wire.decode(body)
  const error = wire.decodeError?.(body) ?? { message: typeof body === 'string' ? body : JSON.stringify(body) }
  return { text: '', toolCalls: [], finishReason: 'error', error }
}

export function readStream(wire: WireFormat, events: readonly unknown[]): LMResponse {
  const decoder = wire.streamDecoder?.()
  if (decoder === undefined) throw new TypeError(`wire format "${wire.name}" can't decode streams`)
  const deltas = events.flatMap((event) => [...decoder.push(event)])
  return collectDeltas([...deltas, ...decoder.end()])
}
