/** First step of every wrapper: takes a snapshot of the request and records the model's identity. */
import type { LM, LMRequest } from '@x/adapters'
import { identified } from '../identity.ts'

/**
 * Copies each request, because its list of messages may grow while the request waits for a slot, a store or a retry. `identity`
 * identifies the wrapped model.
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
