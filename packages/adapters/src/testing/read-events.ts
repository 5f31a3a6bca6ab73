/** Collects a stream of events into a response. */
import { collectDeltas } from '../protocol/collect.ts'
import type { LMDelta, LMRequest, LMResponse } from '../protocol/protocol.ts'
import type { StreamDecoder, WireFormat } from '../wire/wire-format.ts'
import { Fault } from './contract-error.ts'

export function decoderOf(wire: WireFormat, request?: LMRequest, model?: string): StreamDecoder {
  const decoder = wire.streamDecoder?.(request, model)
  if (decoder === undefined) throw new Fault('the wire format has no stream decoder')
  return decoder
}

export function deltasOf(wire: WireFormat, events: readonly unknown[], request?: LMRequest, model?: string): readonly LMDelta[] {
  const decoder = decoderOf(wire, request, model)
  return [...events.flatMap((event) => [...decoder.push(event)]), ...decoder.end()]
}

export function readEvents(wire: WireFormat, events: readonly unknown[], request?: LMRequest, model?: string): LMResponse {
  return collectDeltas(deltasOf(wire, events, request, model))
}
