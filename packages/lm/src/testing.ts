/** A scripted model for tests. Throws if the requests don't match the script. */
import type { LM, LMRequest, LMResponse } from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { LMError } from './errors.ts'

/** One reply: a partial response, an error to throw, or a function that receives the request. */
export type ScriptedReply = Partial<LMResponse> | Error | ((request: LMRequest) => Partial<LMResponse>)

export interface ScriptedLM extends Required<LM> {
  /** All requests so far. Each is a copy made when the model was called. */
  readonly requests: readonly LMRequest[]
  /** Throws `script_drift` if the script has unused replies. */
  assertDone(): void
}

/** Creates a model that answers requests from the script, in order. Rejects with `script_drift` if the script has no more replies. */
export function scriptedLM(script: readonly ScriptedReply[]): ScriptedLM {
  const requests: LMRequest[] = []
  const next = (request: LMRequest): LMResponse => {
    // Copies the messages, because a conversation appends to them after the request.
    const reply = script[requests.push({ ...request, messages: [...request.messages] }) - 1]
    if (reply === undefined)
      throw drift(
        `The script has no reply for request ${requests.length}, only for ${script.length}. Add a reply, or check why the run sends another request.`,
      )
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
        throw drift(
          `Only ${requests.length} of ${script.length} replies in the script were used. Remove the others, or check why the run ended early.`,
        )
    },
  }
}

function drift(message: string): LMError {
  return new LMError('script_drift', message)
}
