export { formatLosses } from '../shaping/format-losses.ts'
export type { Loss, LossAction } from '../shaping/loss.ts'
export type { BrokenRule } from '../shaping/rules/breaks-rule.ts'
export { breaksRule } from '../shaping/rules/breaks-rule.ts'
export type {
  Condition,
  Fate,
  KeywordRule,
  NameRules,
  Rule,
  SchemaLimits,
  SchemaRules,
  Sourced,
  ToolRules,
} from '../shaping/rules/tool-rules.ts'
export type { ShapedTool, ShapeOptions } from '../shaping/shape.ts'
export type { AnthropicBody } from './anthropic-messages/body.ts'
export { anthropicRules } from './anthropic-messages/rules.ts'
export { anthropicMessages } from './anthropic-messages/wire.ts'
export type { BedrockBody } from './bedrock-converse/body.ts'
export { bedrockInlinedRules, bedrockRules } from './bedrock-converse/rules.ts'
export { bedrockConverse } from './bedrock-converse/wire.ts'
export { CallIds } from './call-ids.ts'
export type { CohereBody } from './cohere-v2/body.ts'
export { cohereRules } from './cohere-v2/rules.ts'
export { cohereV2 } from './cohere-v2/wire.ts'
export type { FullWireFormat, WireDefinition, WireRequest } from './define-wire.ts'
export { defineWire } from './define-wire.ts'
export type { FindOptions } from './facts/find-facts.ts'
export { findFacts } from './facts/find-facts.ts'
export type {
  CacheFacts,
  Effort,
  FactFamily,
  FactRow,
  InputKind,
  ModelFacts,
  ReasoningFacts,
  Refusal,
  ResolvedFacts,
} from './facts/model-facts.ts'
export type { ReasoningPlan, SentEffort } from './facts/plan-reasoning.ts'
export { checkReasoning } from './facts/plan-reasoning.ts'
export { limitOfReply } from './facts/plan-settings.ts'
export type { GeminiBody } from './gemini/body.ts'
export { geminiJsonSchemaRules, geminiRules } from './gemini/rules.ts'
export { gemini } from './gemini/wire.ts'
export type { MistralBody } from './mistral/body.ts'
export { mistralRules } from './mistral/rules.ts'
export { mistral } from './mistral/wire.ts'
export type { OllamaBody } from './ollama/body.ts'
export { ollamaRules } from './ollama/rules.ts'
export { ollama } from './ollama/wire.ts'
export type { OpenAIChatBody } from './openai-chat/body.ts'
export type { OpenAIChatHostName } from './openai-chat/host-name.ts'
export { openaiChatHosts, openaiChatProfiles } from './openai-chat/host-wires.ts'
export type { OpenAIChatHost } from './openai-chat/hosts.ts'
export { moonshotRules, openaiChatRules, xaiRules } from './openai-chat/rules.ts'
export { defineOpenAIChatHost, openaiChat } from './openai-chat/wire.ts'
export type { OpenAIResponsesBody } from './openai-responses/body.ts'
export { openaiResponsesRules } from './openai-responses/rules.ts'
export { openaiResponses } from './openai-responses/wire.ts'
export type { ShapeToolOptions } from './shape-tool.ts'
export { shape, shapeSpec } from './shape-tool.ts'
export type { EncodeOptions, Framing, StreamDecoder, WireFormat } from './wire-format.ts'
