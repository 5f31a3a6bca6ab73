/** Wraps a model to recover tool calls that the model wrote as text. */
import { DeltaCollector, type LM, type LMDelta } from '@x/adapters'
import { type RescueOptions, rescueCalls } from '@x/adapters/dialects'
import { assertLM, kindOf } from './check-options.ts'
import { copyingRequests, identityFrom, identityOf } from './identity.ts'
import { streamOf } from './open-stream.ts'

/** Dialects to look for. Default: the common ones. */
export type RescueLMOptions = Pick<RescueOptions, 'dialects'>

/**
 * Returns a model that applies `rescueCalls` to replies without calls, with the tools of the request. A stream yields text as it
 * arrives, and the recovered calls before the finish reason. The text of these calls has been sent by then, so a stream contains
 * it too.
 */
export function withRescue(lm: LM, options: RescueLMOptions = {}): Required<LM> {
  assertLM('withRescue', lm)
  if (options.dialects !== undefined && !Array.isArray(options.dialects))
    throw new TypeError(
      `withRescue: dialects must be a list, got ${kindOf(options.dialects)}. Write withRescue(lm, { dialects: [hermes] }).`,
    )
  const dialects = options.dialects?.map(({ name }) => name)
  return copyingRequests(identityFrom('rescue', JSON.stringify(dialects ?? 'common'), identityOf(lm)), {
    async generate(request, lmOptions) {
      const response = await lm.generate(request, lmOptions)
      return rescueCalls(response, { ...options, tools: request.tools ?? [] })
    },
    async *stream(request, lmOptions) {
      const collector = new DeltaCollector()
      // Holds back `finish` and everything after it. Recovered calls come before it and may change the finish reason.
      const ending: LMDelta[] = []
      for await (const delta of streamOf(lm, request, lmOptions)) {
        collector.push(delta)
        if (delta.type === 'finish' || ending.length > 0) ending.push(delta)
        else yield delta
      }
      const { toolCalls, finishReason } = await rescueCalls(collector.response(), { ...options, tools: request.tools ?? [] })
      // The calls that the model made itself have already been yielded.
      for (const [index, { id, name, arguments: text, tags }] of toolCalls.entries()) {
        if (!tags?.includes('rescued')) continue
        yield { type: 'call_start', index, id, name }
        yield { type: 'arguments', index, text }
        yield { type: 'call_end', index, tags }
      }
      for (const delta of ending) yield delta.type === 'finish' && finishReason !== undefined ? { ...delta, finishReason } : delta
    },
  })
}
