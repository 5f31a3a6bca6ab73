/** Decodes a recorded reply or stream with a wire format, or the error of a refused request with `createLM`. */
import { collectDeltas, type LMResponse } from '@x/adapters'
import type { WireFormat } from '@x/adapters/wire'
import type { WireCase } from './wire-case.ts'

/** Treats any body of a refused request as an error. */
export function readReply(wire: WireFormat, { chunks, body, http_status: status = 200 }: WireCase): LMResponse {
  if (chunks !== undefined) return readStream(wire, chunks)
  if (status < 400) return wire.decode(body)
  const error = wire.decodeError?.(body) ?? { message: typeof body === 'string' ? body : JSON.stringify(body) }
  return { text: '', toolCalls: [], finishReason: 'error', error }
}

export function readStream(wire: WireFormat, events: readonly unknown[]): LMResponse {
  const decoder = wire.streamDecoder?.()
  if (decoder === undefined) throw new TypeError(`wire format "${wire.name}" reads no streams`)
  const deltas = events.flatMap((event) => [...decoder.push(event)])
  return collectDeltas([...deltas, ...decoder.end()])
}
