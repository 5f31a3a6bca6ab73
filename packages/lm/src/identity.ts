/**
 * Identifies the model behind an `LM`, so that a cached reply is never returned for another model. A copy such as `{ ...lm }` has no
 * identity.
 */
import type { LM, LMRequest } from '@x/adapters'

const identities = new WeakMap<LM, string>()

export function identified(lm: Required<LM>, identity: string | undefined): Required<LM> {
  if (identity !== undefined) identities.set(lm, identity)
  return lm
}

/**
 * Returns a string that is the same for the same `parts` in every process. Undefined if a part is undefined. The string is hashed before it
 * leaves the package.
 */
export function identityFrom(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts)
}

/** Returns the identity of a model. Undefined for a model that this package didn't create. */
export function identityOf(lm: LM): string | undefined {
  return identities.get(lm)
}

/**
 * Returns a model that copies each request when it is called. A conversation's list of messages may grow while the request waits in a
 * queue, for a store, or for a retry. `identity` names the requested model.
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
