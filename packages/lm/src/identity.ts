/** Which model an LM asks, so that what is kept of one is never given as the reply of another. Its own symbol: spreads keep it. */
import type { LM } from '@x/adapters'

const IDENTITY: unique symbol = Symbol.for('@x/lm/identity') as never

export function identified(lm: Required<LM>, identity: string | undefined): Required<LM> {
  return identity === undefined ? lm : Object.assign(lm, { [IDENTITY]: identity })
}

/** The same for the same `parts` in every process; they hold no secret. Undefined where one of them is not known. */
export function identityFrom(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts)
}

/** Undefined for a model that was not made by this package. */
export function identityOf(lm: LM): string | undefined {
  return (lm as { readonly [IDENTITY]?: string })[IDENTITY]
}
