/**
 * Identifies the model behind an `LM`, so that a cache never returns another model's reply. A copy such as `{ ...lm }` has no
 * identity.
 */
import type { LM, LMRequest } from '@x/adapters'

const identities = new WeakMap<LM, string>()

export function identified(lm: Required<LM>, identity: string | undefined): Required<LM> {
  if (identity !== undefined) identities.set(lm, identity)
  return lm
}

/**
 * Returns a string that is the same for the same `parts` in every process. Returns undefined if a part is undefined. The cache
 * hashes the string, so that it doesn't appear in a store.
 */
export function identityFrom(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts)
}

/** Returns the identity of a model. Returns undefined for a model that this package didn't create. */
export function identityOf(lm: LM): string | undefined {
  return identities.get(lm)
}

/**
 * Returns a model that copies each request when it is called. Without a copy, a conversation could append messages while the
 * request waits in a queue, for a store, or for a retry. `identity` is the identity of the returned model.
 */
export function copyingRequests(identity: string | undefined, lm: Required<LM>): Required<LM> {
  const own: Required<LM> = {
    generate: async (request, options) => lm.generate(snapshot(request), options),
    stream: (request, options) => lm.stream(snapshot(request), options),
  }
  return identified(own, identity)
}

function snapshot(request: LMRequest): LMRequest {
  return { ...request, messages: [...request.messages] }
}
