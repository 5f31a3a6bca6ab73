/** A deterministic stand-in for a language model that plans tool calls by rules. */
import type { LM, LMRequest, LMResponse } from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { respond } from './respond.ts'

export interface PlannerOptions {
  /** Name of the source in the `metadata` of each response. */
  readonly name?: string | undefined
  /**
   * If true, the planner calls a tool only if it understands the words that matter. For a tool that may change something, it must
   * understand all of them. Default: false.
   */
  readonly isCautious?: boolean | undefined
}

/**
 * Creates a stand-in for a model, for development without weights or a network. It matches the words of a request with the offered tools,
 * and answers only with their results. The same request always gets the same response. A tool that may change something is called only
 * for a plain request, never for a question, a condition or a prohibition.
 */
export function plannerLM({ name, isCautious }: PlannerOptions = {}): LM {
  const answer = (request: LMRequest): LMResponse => ({
    ...respond(request, isCautious),
    ...(name !== undefined && { metadata: { name } }),
  })
  return {
    async generate(request, { signal } = {}) {
      signal?.throwIfAborted()
      return answer(request)
    },
    async *stream(request, { signal } = {}) {
      signal?.throwIfAborted()
      for (const delta of toDeltas(answer(request), PIECE)) {
        yield delta
        signal?.throwIfAborted()
      }
    },
  }
}

/** Length of a piece in UTF-16 code units. */
const PIECE = 24
