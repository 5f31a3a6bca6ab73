/** The contract of wire formats, over all of ours. */
import { describe, it } from 'vitest'
import type { WireContractOptions } from '../testing/wire-check.ts'
import { wireContract } from '../testing/wire-contract.ts'
import { ANTHROPIC_SAMPLES } from '../testing/wire-samples/anthropic-messages.ts'
import { BEDROCK_SAMPLES } from '../testing/wire-samples/bedrock-converse.ts'
import { COHERE_SAMPLES } from '../testing/wire-samples/cohere-v2.ts'
import { GEMINI_SAMPLES } from '../testing/wire-samples/gemini.ts'
import { MISTRAL_SAMPLES } from '../testing/wire-samples/mistral.ts'
import { OLLAMA_SAMPLES } from '../testing/wire-samples/ollama.ts'
import { OPENAI_CHAT_SAMPLES } from '../testing/wire-samples/openai-chat.ts'
import { OPENAI_RESPONSES_SAMPLES } from '../testing/wire-samples/openai-responses.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { cohereV2 } from './cohere-v2/wire.ts'
import { gemini } from './gemini/wire.ts'
import { mistral } from './mistral/wire.ts'
import { ollama } from './ollama/wire.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { WireFormat } from './wire-format.ts'

const SUBJECTS: readonly (WireContractOptions & { readonly wire: WireFormat })[] = [
  { wire: openaiChat, model: 'gpt-4.1', samples: OPENAI_CHAT_SAMPLES },
  { wire: openaiResponses, model: 'gpt-5.2', samples: OPENAI_RESPONSES_SAMPLES },
  { wire: anthropicMessages, model: 'claude-sonnet-4-5', samples: ANTHROPIC_SAMPLES },
  { wire: gemini, model: 'gemini-3-pro-preview', samples: GEMINI_SAMPLES },
  { wire: mistral, model: 'mistral-large-latest', samples: MISTRAL_SAMPLES },
  { wire: cohereV2, model: 'command-a-03-2025', samples: COHERE_SAMPLES },
  { wire: bedrockConverse, model: 'anthropic.claude-sonnet-4-5-20250929-v1:0', samples: BEDROCK_SAMPLES },
  { wire: ollama, model: 'qwen3:8b', samples: OLLAMA_SAMPLES, pairsBy: 'order', lacks: ['cached_tokens'] },
]

for (const { wire, ...options } of SUBJECTS) {
  describe(wire.name, () => {
    const others = SUBJECTS.filter((other) => other.wire !== wire)
    for (const { name, run } of wireContract(wire, { ...options, others })) it(name, run)
  })
}
