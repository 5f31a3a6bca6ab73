/** The wire formats of this package with what the contract needs of each. */

import type { WireContractOptions } from '../../src/testing/wire-check.ts'
import { ANTHROPIC_SAMPLES } from '../../src/wire/anthropic-messages/samples.ts'
import { anthropicMessages } from '../../src/wire/anthropic-messages/wire.ts'
import { BEDROCK_SAMPLES } from '../../src/wire/bedrock-converse/samples.ts'
import { bedrockConverse } from '../../src/wire/bedrock-converse/wire.ts'
import { COHERE_SAMPLES } from '../../src/wire/cohere-v2/samples.ts'
import { cohereV2 } from '../../src/wire/cohere-v2/wire.ts'
import { GEMINI_SAMPLES } from '../../src/wire/gemini/samples.ts'
import { gemini } from '../../src/wire/gemini/wire.ts'
import { MISTRAL_SAMPLES } from '../../src/wire/mistral/samples.ts'
import { mistral } from '../../src/wire/mistral/wire.ts'
import { OLLAMA_SAMPLES } from '../../src/wire/ollama/samples.ts'
import { ollama } from '../../src/wire/ollama/wire.ts'
import { OPENAI_CHAT_SAMPLES } from '../../src/wire/openai-chat/samples.ts'
import { openaiChat } from '../../src/wire/openai-chat/wire.ts'
import { OPENAI_RESPONSES_SAMPLES } from '../../src/wire/openai-responses/samples.ts'
import { openaiResponses } from '../../src/wire/openai-responses/wire.ts'
import type { WireFormat } from '../../src/wire/wire-format.ts'

export type TestWire = WireContractOptions & {
  readonly wire: WireFormat
  /** Losses that no check misses: the wish is met in another way, or nothing is left that the model could miss. */
  readonly met?: readonly string[]
}

/** What goes back of its replies depends on the host. */
export const CHAT: TestWire = { wire: openaiChat, model: 'gpt-4.1', samples: OPENAI_CHAT_SAMPLES, lacks: ['metadata'] }
export const RESPONSES: TestWire = { wire: openaiResponses, model: 'gpt-5.2', samples: OPENAI_RESPONSES_SAMPLES }
export const ANTHROPIC: TestWire = {
  wire: anthropicMessages,
  model: 'claude-sonnet-4-5',
  samples: ANTHROPIC_SAMPLES,
  met: ['/messages/N content dropped', '/messages/N/role system dropped'],
}
export const GEMINI: TestWire = {
  wire: gemini,
  model: 'gemini-3-pro-preview',
  samples: GEMINI_SAMPLES,
  lacks: ['refusal'],
  // Words of the system behind others go to the front.
  met: ['/messages/N position dropped'],
}
export const MISTRAL: TestWire = {
  wire: mistral,
  model: 'mistral-large-latest',
  samples: MISTRAL_SAMPLES,
  // The schema is sent, and not enforced.
  met: ['/responseFormat/schema strict refused'],
  lacks: ['refusal', 'provider_calls'],
}
export const COHERE: TestWire = {
  wire: cohereV2,
  model: 'command-a-03-2025',
  samples: COHERE_SAMPLES,
  lacks: ['refusal', 'provider_calls', 'error_code'],
}
export const BEDROCK: TestWire = {
  wire: bedrockConverse,
  model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  samples: BEDROCK_SAMPLES,
  met: [
    // Nothing was said in them; the tools are left out, so none can be called; the history needs its tools declared.
    ...['/messages/N content dropped', '/toolChoice none dropped', '/tools tools widened'],
    // Sent as text of the user.
    '/messages/N/role system dropped',
  ],
  lacks: ['refusal'],
}
export const OLLAMA: TestWire = {
  wire: ollama,
  model: 'qwen3:8b',
  samples: OLLAMA_SAMPLES,
  met: ['/toolChoice none dropped'],
  pairsBy: 'order',
  lacks: ['cached_tokens', 'refusal', 'metadata', 'provider_calls', 'error_code'],
}

export const WIRES: readonly TestWire[] = [CHAT, RESPONSES, ANTHROPIC, GEMINI, MISTRAL, COHERE, BEDROCK, OLLAMA]
