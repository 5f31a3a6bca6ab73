/** Facts about OpenAI's models. The sources are in `test/wire/fact-sources.ts`. */
import type { CacheFacts, Effort, FactFamily, InputKind, ModelFacts, ReasoningFacts, Refusal } from './model-facts.ts'

const SAMPLING = ['temperature', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty'] as const
const ALWAYS: Refusal = { settings: SAMPLING, when: 'always' }
const WHILE_REASONING: readonly Refusal[] = [{ settings: SAMPLING, when: 'reasoning' }]
const STOP: Refusal = { settings: ['stop'], when: 'always' }
const MEDIA: readonly InputKind[] = ['image', 'pdf']
const KEY: CacheFacts = { form: 'key', minTokens: 1_024 }

const effort = (efforts: readonly Effort[], byDefault: boolean, canBeOff: boolean): ReasoningFacts => ({
  form: 'effort',
  efforts,
  byDefault,
  canBeOff,
})
const TO_XHIGH: readonly Effort[] = ['low', 'medium', 'high', 'xhigh']
const TO_MAX: readonly Effort[] = [...TO_XHIGH, 'max']
const TO_HIGH = effort(['low', 'medium', 'high'], true, false)
const RESPONSES: ModelFacts = { wires: ['openai-responses'] }
const PRO: ModelFacts = { ...RESPONSES, refuses: [ALWAYS], reasoning: effort(['medium', 'high', 'xhigh'], true, false) }

const GPT: ModelFacts = {
  contextTokens: 128_000,
  maxOutputTokens: 16_384,
  reasoning: false,
  parallelSwitch: true,
  strictTools: true,
  structuredOutput: true,
  input: MEDIA,
  cache: KEY,
  toolSearch: false,
}
const GPT_5: ModelFacts = {
  ...GPT,
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  refuses: [ALWAYS, STOP],
  reasoning: effort(['minimal', 'low', 'medium', 'high'], true, false),
}
const GPT_5_1: ModelFacts = { ...GPT_5, refuses: WHILE_REASONING, reasoning: effort(['low', 'medium', 'high'], false, true) }
const GPT_5_2: ModelFacts = { ...GPT_5_1, reasoning: effort(TO_XHIGH, false, true) }
const GPT_5_4: ModelFacts = { ...GPT_5_2, contextTokens: 1_050_000, toolSearch: true }
const GPT_5_5: ModelFacts = { ...GPT_5_4, reasoning: effort(TO_XHIGH, true, true) }
const GPT_5_6: ModelFacts = { ...GPT_5_5, reasoning: effort(TO_MAX, true, true), cache: { ...KEY, maxMarks: 4 } }
const GPT_6: ModelFacts = { ...GPT_5_6, reasoning: effort(TO_MAX, true, false), refuses: [ALWAYS] }
const CHAT_VARIANT: ModelFacts = {
  ...GPT_5_1,
  contextTokens: 128_000,
  maxOutputTokens: 16_384,
  refuses: [ALWAYS],
  reasoning: effort(['medium'], true, false),
}
const O: ModelFacts = {
  ...GPT,
  contextTokens: 200_000,
  maxOutputTokens: 100_000,
  refuses: [ALWAYS],
  reasoning: TO_HIGH,
}
const GPT_4: ModelFacts = { reasoning: false, structuredOutput: false, input: [], cache: { form: 'none' } }
const ONE_CALL = { parallelSwitch: false }

export const openaiFacts: FactFamily = {
  name: 'openai',
  // OpenRouter converts PDFs for models that don't accept them.
  on: { 'openai-chat': { toolSearch: false }, 'openai-chat:openrouter': { input: undefined } },
  rows: [
    { models: ['gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-sol'], facts: GPT_6 },
    {
      models: ['gpt-6-sol', 'gpt-6-luna', 'gpt-6.1-terra'],
      facts: GPT_5_6,
      on: { 'openai-chat': { tools: 'without_reasoning' } },
    },
    { models: ['gpt-5.6'], facts: GPT_5_6, on: { 'openai-chat': { tools: 'without_reasoning' } } },
    {
      models: ['gpt-5.5-pro', 'gpt-5.4-pro'],
      facts: { ...GPT_5_4, ...PRO },
    },
    { models: ['gpt-5.5'], facts: GPT_5_5 },
    { models: ['gpt-5.4'], facts: GPT_5_4 },
    { models: ['gpt-5.1-chat', 'gpt-5.2-chat', 'gpt-5.3-chat'], facts: CHAT_VARIANT },
    { models: ['gpt-5.3-codex'], facts: { ...GPT_5_2, ...RESPONSES } },
    {
      models: ['gpt-5.2-pro'],
      facts: { ...GPT_5_2, ...PRO },
    },
    {
      models: ['gpt-5.2-codex', 'gpt-5.1-codex-max'],
      facts: { ...GPT_5, ...RESPONSES, reasoning: effort(TO_XHIGH, true, false) },
    },
    { models: ['gpt-5.2', 'gpt-5.3'], facts: GPT_5_2 },
    {
      models: ['gpt-5.1-codex', 'gpt-5-codex', 'codex-mini'],
      facts: { ...GPT_5, ...RESPONSES, reasoning: TO_HIGH },
    },
    { models: ['gpt-5.1'], facts: GPT_5_1 },
    { models: ['gpt-5-chat'], facts: { ...GPT, tools: false } },
    { models: ['gpt-5-pro'], facts: { ...GPT_5, ...RESPONSES, reasoning: effort(['high'], true, false) } },
    { models: ['gpt-5'], facts: GPT_5 },
    {
      models: ['gpt-4.1', 'gpt-41'],
      facts: { ...GPT, contextTokens: 1_047_576, maxOutputTokens: 32_768 },
    },
    { models: ['gpt-4o-audio', 'gpt-4o-mini-audio'], facts: { ...GPT, input: ['audio'] } },
    { models: ['gpt-4o', 'chatgpt-4o'], facts: GPT },
    { models: ['gpt-4-turbo', 'gpt-4-0125', 'gpt-4-1106'], facts: { ...GPT, maxOutputTokens: 4_096, structuredOutput: false } },
    { models: ['gpt-4'], facts: { ...GPT_4, contextTokens: 8_192, maxOutputTokens: 8_192 } },
    { models: ['gpt-3.5-turbo', 'gpt-35-turbo'], facts: { ...GPT_4, contextTokens: 16_385, maxOutputTokens: 4_096 } },
    { models: ['o1-pro', 'o3-pro', 'o3-deep-research', 'o4-mini-deep-research'], facts: { ...O, ...RESPONSES } },
    { models: ['o3-mini'], facts: { ...O, input: [] }, on: { 'openai-chat': ONE_CALL } },
    { models: ['o3', 'o4-mini'], facts: { ...O, refuses: [ALWAYS, STOP] }, on: { 'openai-chat': ONE_CALL } },
    { models: ['o1'], facts: O, on: { 'openai-chat': ONE_CALL } },
    { models: ['gpt-6*', 'gpt-7*', 'gpt-8*', 'gpt-9*', 'gpt-1*'], facts: GPT_6, assumed: true },
    { models: ['gpt-5.*'], facts: GPT_5_6, on: { 'openai-chat': { tools: 'without_reasoning' } }, assumed: true },
  ],
}
