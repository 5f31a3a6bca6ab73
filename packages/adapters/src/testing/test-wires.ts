/** The wire formats of this package with what the contract needs of each. */
import { anthropicMessages } from '../wire/anthropic-messages/wire.ts'
import { bedrockConverse } from '../wire/bedrock-converse/wire.ts'
import { cohereV2 } from '../wire/cohere-v2/wire.ts'
import { gemini } from '../wire/gemini/wire.ts'
import { mistral } from '../wire/mistral/wire.ts'
import { ollama } from '../wire/ollama/wire.ts'
import { openaiChat } from '../wire/openai-chat/wire.ts'
import { openaiResponses } from '../wire/openai-responses/wire.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import type { WireContractOptions } from './wire-check.ts'
import { ANTHROPIC_SAMPLES } from './wire-samples/anthropic-messages.ts'
import { BEDROCK_SAMPLES } from './wire-samples/bedrock-converse.ts'
import { COHERE_SAMPLES } from './wire-samples/cohere-v2.ts'
import { GEMINI_SAMPLES } from './wire-samples/gemini.ts'
import { MISTRAL_SAMPLES } from './wire-samples/mistral.ts'
import { OLLAMA_SAMPLES } from './wire-samples/ollama.ts'
import { OPENAI_CHAT_SAMPLES } from './wire-samples/openai-chat.ts'
import { OPENAI_RESPONSES_SAMPLES } from './wire-samples/openai-responses.ts'

export type TestWire = WireContractOptions & { readonly wire: WireFormat }

/** What goes back of its replies depends on the host. */
export const CHAT: TestWire = { wire: openaiChat, model: 'gpt-4.1', samples: OPENAI_CHAT_SAMPLES, lacks: ['metadata'] }
export const RESPONSES: TestWire = { wire: openaiResponses, model: 'gpt-5.2', samples: OPENAI_RESPONSES_SAMPLES }
export const ANTHROPIC: TestWire = { wire: anthropicMessages, model: 'claude-sonnet-4-5', samples: ANTHROPIC_SAMPLES }
export const GEMINI: TestWire = { wire: gemini, model: 'gemini-3-pro-preview', samples: GEMINI_SAMPLES }
export const MISTRAL: TestWire = {
  wire: mistral,
  model: 'mistral-large-latest',
  samples: MISTRAL_SAMPLES,
  lacks: ['provider_calls'],
}
export const COHERE: TestWire = {
  wire: cohereV2,
  model: 'command-a-03-2025',
  samples: COHERE_SAMPLES,
  lacks: ['provider_calls', 'error_code'],
}
export const BEDROCK: TestWire = {
  wire: bedrockConverse,
  model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  samples: BEDROCK_SAMPLES,
}
export const OLLAMA: TestWire = {
  wire: ollama,
  model: 'qwen3:8b',
  samples: OLLAMA_SAMPLES,
  pairsBy: 'order',
  lacks: ['cached_tokens', 'metadata', 'provider_calls', 'error_code'],
}

export const WIRES: readonly TestWire[] = [CHAT, RESPONSES, ANTHROPIC, GEMINI, MISTRAL, COHERE, BEDROCK, OLLAMA]
