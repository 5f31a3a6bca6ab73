/** Functions that plant faults in a correct wire format, for tests of the contract. */
import type { LMDelta, LMRequest, LMResponse, Message } from '../../src/protocol/protocol.ts'
import type { StreamDecoder, WireFormat } from '../../src/wire/wire-format.ts'

export function decoded(change: (response: LMResponse) => LMResponse) {
  return (wire: WireFormat): Partial<WireFormat> => ({
    decode: (reply, request, model) => change(wire.decode(reply, request, model)),
  })
}

export function encoded(change: (request: LMRequest) => LMRequest) {
  return (wire: WireFormat): Partial<WireFormat> => ({
    encode: (request, model, options) => wire.encode(change(request), model, options),
  })
}

export function messages(change: (message: Message) => Message) {
  return encoded((request) => ({ ...request, messages: request.messages.map(change) }))
}

export function streamed(change: (list: readonly LMDelta[]) => readonly LMDelta[]) {
  return (wire: WireFormat): Partial<WireFormat> => ({
    streamDecoder(request, model): StreamDecoder {
      const decoder = decoderOf(wire, request, model)
      return { push: (event) => change(decoder.push(event)), end: (isDone) => change(decoder.end(isDone)) }
    },
  })
}

export function decoderOf(wire: WireFormat, request?: LMRequest, model?: string): StreamDecoder {
  return wire.streamDecoder?.(request, model) as StreamDecoder
}
