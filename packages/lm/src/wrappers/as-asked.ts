/** What every wrapper does first: it keeps a request as it was when it was asked, and tells which model it asks. */
import type { LM, LMRequest } from '@x/adapters'
import { identified } from '../identity.ts'

/**
 * A conversation's list of messages grows while a request of it waits: for its turn, for a store, for another try. `identity` says
 * which model is asked.
 */
export function asAsked(identity: string | undefined, lm: Required<LM>): Required<LM> {
  const own: Required<LM> = {
    generate: async (request, options) => lm.generate(snapshot(request), options),
    stream: (request, options) => lm.stream(snapshot(request), options),
  }
  return identified(own, identity)
}

function snapshot(request: LMRequest): LMRequest {
  return { ...request, messages: [...request.messages] }
}
