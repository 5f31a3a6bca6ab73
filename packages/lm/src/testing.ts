/** A model that answers from a script, and says when the run drifts from it. */
import type { LM, LMRequest, LMResponse } from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { LMError } from './errors.ts'

/** One answer: a response of which only what matters is written, an error to throw, or a function of the request. */
export type ScriptedReply = Partial<LMResponse> | Error | ((request: LMRequest) => Partial<LMResponse>)

export interface ScriptedLM extends Required<LM> {
  /** Every request so far, as it was at that moment. */
  readonly requests: readonly LMRequest[]
  /** Throws `script_drift` when replies are left over. */
  assertDone(): void
}

/** Answers request after request from the script; rejects with `script_drift` when it is asked for more. */
export function scriptedLM(script: readonly ScriptedReply[]): ScriptedLM {
  const requests: LMRequest[] = []
  const next = (request: LMRequest): LMResponse => {
    // A conversation's messages grow after the request.
    const reply = script[requests.push({ ...request, messages: [...request.messages] }) - 1]
    if (reply === undefined) throw drift(`The script has ${script.length} replies; request ${requests.length} came.`)
    if (reply instanceof Error) throw reply
    return { text: '', toolCalls: [], ...(typeof reply === 'function' ? reply(request) : reply) }
  }
  return {
    requests,
    async generate(request, options) {
      options?.signal?.throwIfAborted()
      return next(request)
    },
    async *stream(request, options) {
      options?.signal?.throwIfAborted()
      for (const delta of toDeltas(next(request), 4)) {
        yield delta
        options?.signal?.throwIfAborted()
      }
    },
    assertDone() {
      if (requests.length < script.length)
        throw drift(`The script has ${script.length} replies; only ${requests.length} were asked for.`)
    },
  }
}

function drift(message: string): LMError {
  return new LMError('script_drift', message)
}
