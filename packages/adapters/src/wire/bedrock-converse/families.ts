/** Differences between the model families behind Converse, as data. */

import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { bedrockInlinedRules, bedrockRules } from './rules.ts'

export interface ModelFamily {
  /** Patterns for the model id. */
  readonly words: readonly string[]
  readonly rules: ToolRules
  /** Accepts the error flag of a result; others reject it. */
  readonly resultStatus: boolean
  readonly imagesInResults: boolean
  /** Whether a tool call can be forced: a named tool, any tool, or none. */
  readonly forcedChoice: 'named' | 'some' | 'none'
  /** Content that can't be in the same turn as results. */
  readonly apart: 'nothing' | 'documents' | 'everything'
  /** Name of `topK` in `additionalModelRequestFields`. */
  readonly topK?: (topK: number) => Record<string, unknown>
}

/** Defaults for an unknown model, such as one behind an application inference profile. */
const OTHER: ModelFamily = {
  words: [],
  rules: bedrockRules,
  resultStatus: false,
  imagesInResults: false,
  forcedChoice: 'none',
  apart: 'nothing',
}

/**
 * The model families. Sources: the AWS reference (ToolResultBlock, ToolResultContentBlock, ToolChoice); for `apart`, pydantic-ai's issue
 * 6081.
 */
export const FAMILIES: readonly ModelFamily[] = [
  {
    words: ['anthropic.', 'claude'],
    rules: bedrockRules,
    resultStatus: true,
    imagesInResults: true,
    forcedChoice: 'named',
    apart: 'documents',
    topK: (topK) => ({ top_k: topK }),
  },
  {
    words: ['amazon.nova'],
    rules: bedrockInlinedRules,
    resultStatus: true,
    imagesInResults: true,
    forcedChoice: 'named',
    apart: 'nothing',
    topK: (topK) => ({ inferenceConfig: { topK } }),
  },
  { ...OTHER, words: ['meta.', 'llama'], rules: bedrockInlinedRules, apart: 'everything' },
  { ...OTHER, words: ['mistral.', 'mixtral'], forcedChoice: 'some', apart: 'everything' },
  OTHER,
]

/** Finds the family by a model's id or inference profile, or by an ARN that contains one. */
export function familyOf(model: string): ModelFamily {
  const id = model.toLowerCase()
  return FAMILIES.find(({ words }) => words.some((word) => id.includes(word))) ?? OTHER
}
