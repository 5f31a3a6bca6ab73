/** Which model an LM asks, so that what is kept of one is never given as the reply of another. A spread of it may be another one. */
import type { LM, LMRequest } from '@x/adapters'

const identities = new WeakMap<LM, string>()

export function identified(lm: Required<LM>, identity: string | undefined): Required<LM> {
  if (identity !== undefined) identities.set(lm, identity)
  return lm
}

/** The same for the same `parts` in every process; it is digested before anybody sees it. Undefined where one of them is not known. */
export function identityFrom(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts)
}

/** Undefined for a model that was not made by this package. */
export function identityOf(lm: LM): string | undefined {
  return identities.get(lm)
}

/**
 * Keeps each request as it was when it was asked: a conversation's list of messages grows while a request of it waits for its turn, for a
 * store, for another try. `identity` says which model is asked.
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
