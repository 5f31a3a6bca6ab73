/** What the model families behind Converse take differently, as data. */

import type { ToolRules } from '../../shaping/tool-rules.ts'
import { bedrockInlinedRules, bedrockRules } from './rules.ts'

export interface ModelFamily {
  /** One of these is in the model's id. */
  readonly words: readonly string[]
  readonly rules: ToolRules
  /** Takes the flag that a result is an error; others refuse it. */
  readonly resultStatus: boolean
  readonly imagesInResults: boolean
  /** Whether the model can be made to call a tool: one by its name, some tool, or none. */
  readonly forcedChoice: 'named' | 'some' | 'none'
  /** What may not share a turn with results. */
  readonly apart: 'nothing' | 'documents' | 'everything'
  /** Where `topK` goes in `additionalModelRequestFields`. */
  readonly topK?: (topK: number) => Record<string, unknown>
}

/** Of a model that is unknown, as behind the id of an application's own profile. */
const OTHER: ModelFamily = {
  words: [],
  rules: bedrockRules,
  resultStatus: false,
  imagesInResults: false,
  forcedChoice: 'none',
  apart: 'nothing',
}

/** From the AWS reference (ToolResultBlock, ToolResultContentBlock, ToolChoice); `apart` from pydantic-ai's issue 6081. */
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

/** By the id of a model, of an inference profile, or an ARN that holds one. */
export function familyOf(model: string): ModelFamily {
  const id = model.toLowerCase()
  return FAMILIES.find(({ words }) => words.some((word) => id.includes(word))) ?? OTHER
}
