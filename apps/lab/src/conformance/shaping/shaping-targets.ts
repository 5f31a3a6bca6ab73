/** The dialects of the corpus that are our targets. */
import {
  anthropicRules,
  bedrockRules,
  cohereRules,
  geminiJsonSchemaRules,
  geminiRules,
  mistralRules,
  moonshotRules,
  ollamaRules,
  openaiChatRules,
  openaiResponsesRules,
  type ToolRules,
} from '@x/adapters/wire'

export interface ShapingTarget {
  readonly rules: ToolRules
  /** True if the cases use the API's strict mode. */
  readonly strict: boolean
}

const plain = (rules: ToolRules): ShapingTarget => ({ rules, strict: false })
const strict = (rules: ToolRules): ShapingTarget => ({ rules, strict: true })

/** Targets by the corpus's name. */
export const SHAPING_TARGETS: ReadonlyMap<string, ShapingTarget> = new Map([
  ['openai-chat', plain(openaiChatRules)],
  ['openai-responses', plain(openaiResponsesRules)],
  ['anthropic-messages', plain(anthropicRules)],
  ['gemini', plain(geminiRules)],
  ['gemini-jsonschema', plain(geminiJsonSchemaRules)],
  ['mistral', plain(mistralRules)],
  ['cohere-v2', plain(cohereRules)],
  ['bedrock-converse', plain(bedrockRules)],
  ['ollama', plain(ollamaRules)],
  ['openai-chat:moonshot', plain(moonshotRules)],
  ['openai-strict', strict(openaiChatRules)],
  ['anthropic-messages:strict-output', strict(anthropicRules)],
  ['bedrock-converse:strict', strict(bedrockRules)],
])
