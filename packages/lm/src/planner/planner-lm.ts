/** A deterministic stand-in for a language model that plans tool calls by rules. */
import type { LM, LMDelta, LMRequest, LMResponse } from '@x/adapters'
import { respond } from './respond.ts'

export interface PlannerOptions {
  /** Names the source of a response in its `metadata`. */
  readonly name?: string | undefined
}

/**
 * A development model, not a language model: it has no weights and no network, matches the words of a request with the
 * tools it is offered, and answers only with what their results say. The same request has always the same response.
 */
export function plannerLM({ name }: PlannerOptions = {}): LM {
  const answer = (request: LMRequest): LMResponse => ({ ...respond(request), ...(name !== undefined && { metadata: { name } }) })
  return {
    async generate(request, { signal } = {}) {
      signal?.throwIfAborted()
      return answer(request)
    },
    async *stream(request, { signal } = {}) {
      signal?.throwIfAborted()
      for (const delta of toDeltas(answer(request))) {
        yield delta
        signal?.throwIfAborted()
      }
    },
  }
}

/** The pieces of a response: its text word by word, then each call. */
function* toDeltas({ text, toolCalls, finish }: LMResponse): Generator<LMDelta> {
  for (const piece of text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text])) yield { type: 'text', text: piece }
  for (const [index, call] of toolCalls.entries()) {
    yield { type: 'call_start', index, id: call.id, name: call.name }
    for (let start = 0; start < call.arguments.length; start += PIECE) {
      yield { type: 'arguments', index, text: call.arguments.slice(start, start + PIECE) }
    }
    yield { type: 'call_end', index }
  }
  yield { type: 'finish', finish: finish ?? 'stop' }
}

const PIECE = 24
