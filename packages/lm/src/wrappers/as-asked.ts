/** What every wrapper does first: it keeps a request as it was when it was asked. */
import type { LM, LMRequest } from '@x/adapters'

/** A conversation's list of messages grows while a request of it waits: for its turn, for a store, for another try. */
export function asAsked(lm: Required<LM>): Required<LM> {
  return {
    generate: async (request, options) => lm.generate(snapshot(request), options),
    stream: (request, options) => lm.stream(snapshot(request), options),
  }
}

function snapshot(request: LMRequest): LMRequest {
  return { ...request, messages: [...request.messages] }
}
