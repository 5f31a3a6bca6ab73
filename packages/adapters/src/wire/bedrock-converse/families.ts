/** Data about the differences between model families on Converse. */

import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { encodeReasoning } from '../anthropic-messages/encode.ts'
import type { AutomaticMarks } from '../cache-marks.ts'
import type { ReasoningPlan } from '../facts/plan-reasoning.ts'
import { bedrockInlinedRules, bedrockRules } from './rules.ts'

export interface ModelFamily {
  /** Parts of the model id that identify the family. */
  readonly words: readonly string[]
  readonly rules: ToolRules
  /** True if the model accepts the error flag of a tool result. Other models reject requests with that flag. */
  readonly resultStatus: boolean
  readonly imagesInResults: boolean
  /**
   * Which calls a request can force. `named`: a call to a named tool, or to any tool. `some`: only a call to any tool. `none`: neither.
   */
  readonly forcedChoice: 'named' | 'some' | 'none'
  /** Content that the model rejects in the same turn as tool results. */
  readonly apart: 'nothing' | 'documents' | 'everything'
  /** Where to place cache points for this model, most useful first. */
  readonly cachePoints: AutomaticMarks
  /** Returns the fields of `additionalModelRequestFields` that set `topK`. Undefined if no such field is known for the model. */
  readonly topK?: (topK: number) => Record<string, unknown>
  /** Returns the fields of `additionalModelRequestFields` that set the reasoning. Undefined if no such field is known for the model. */
  readonly reasoning?: (plan: ReasoningPlan) => Record<string, unknown>
}

/** Defaults for unknown models, such as those behind an application inference profile. */
const OTHER: ModelFamily = {
  words: [],
  rules: bedrockRules,
  resultStatus: false,
  imagesInResults: false,
  forcedChoice: 'none',
  apart: 'nothing',
  cachePoints: [],
}

/**
 * The model families. Sources: the AWS reference (ToolResultBlock, ToolResultContentBlock, ToolChoice), for `apart` pydantic-ai's issue 6081,
 * and for `cachePoints` the table of models in the AWS guide to prompt caching.
 */
export const FAMILIES: readonly ModelFamily[] = [
  {
    words: ['anthropic.', 'claude'],
    rules: bedrockRules,
    resultStatus: true,
    imagesInResults: true,
    forcedChoice: 'named',
    apart: 'documents',
    cachePoints: ['turn', 'system', 'tools', 'previous'],
    topK: (topK) => ({ top_k: topK }),
    reasoning: (plan) => ({
      ...encodeReasoning(plan),
      ...(plan.kind === 'effort' && { output_config: { effort: plan.effort } }),
    }),
  },
  {
    words: ['amazon.nova'],
    rules: bedrockInlinedRules,
    resultStatus: true,
    imagesInResults: true,
    forcedChoice: 'named',
    apart: 'nothing',
    cachePoints: ['turn', 'system', 'previous'],
    topK: (topK) => ({ inferenceConfig: { topK } }),
    reasoning: (plan) => ({
      reasoningConfig: plan.kind === 'effort' ? { type: 'enabled', maxReasoningEffort: plan.effort } : { type: 'disabled' },
    }),
  },
  { ...OTHER, words: ['meta.', 'llama'], rules: bedrockInlinedRules, apart: 'everything' },
  { ...OTHER, words: ['mistral.', 'mixtral'], forcedChoice: 'some', apart: 'everything' },
  OTHER,
]

/** Finds the family of a model. Accepts a model id, an inference profile, or an ARN that contains either. */
export function familyOf(model: string): ModelFamily {
  const id = model.toLowerCase()
  return FAMILIES.find(({ words }) => words.some((word) => id.includes(word))) ?? OTHER
}
