/** A model whose calls are found also where they leaked into its prose. */
import { DeltaCollector, type LM, type LMDelta } from '@x/adapters'
import { type RescueOptions, rescueCalls } from '@x/adapters/dialects'
import { assertLM } from './check-options.ts'
import { asAsked, identityFrom, identityOf } from './identity.ts'
import { streamOf } from './open-stream.ts'

/** How the model may have written; the common dialects unless told. */
export type RescueLMOptions = Pick<RescueOptions, 'dialects'>

/**
 * Reads a reply without calls with `rescueCalls`, against the tools of its request. A stream tells the text as it comes, and rescued
 * calls at its end, before why it ended: their block stands in the text too, since that has been told by then.
 */
export function withRescue(lm: LM, options: RescueLMOptions = {}): Required<LM> {
  assertLM('withRescue', lm)
  if (options.dialects !== undefined && !Array.isArray(options.dialects))
    throw new TypeError('withRescue: dialects is no list. Write e.g. withRescue(lm, { dialects: [hermes] }).')
  const dialects = options.dialects?.map(({ name }) => name)
  return asAsked(identityFrom('rescue', JSON.stringify(dialects ?? 'common'), identityOf(lm)), {
    async generate(request, lmOptions) {
      const response = await lm.generate(request, lmOptions)
      return rescueCalls(response, { ...options, tools: request.tools ?? [] })
    },
    async *stream(request, lmOptions) {
      const collector = new DeltaCollector()
      // From `finish` on: calls come before it, and it may change.
      const ending: LMDelta[] = []
      for await (const delta of streamOf(lm, request, lmOptions)) {
        collector.push(delta)
        if (delta.type === 'finish' || ending.length > 0) ending.push(delta)
        else yield delta
      }
      const { toolCalls, finish } = await rescueCalls(collector.response(), { ...options, tools: request.tools ?? [] })
      // Those that the model made were told as they came.
      for (const [index, { id, name, arguments: text, tags }] of toolCalls.entries()) {
        if (!tags?.includes('rescued')) continue
        yield { type: 'call_start', index, id, name }
        yield { type: 'arguments', index, text }
        yield { type: 'call_end', index, tags }
      }
      for (const delta of ending) yield delta.type === 'finish' && finish !== undefined ? { ...delta, finish } : delta
    },
  })
}
