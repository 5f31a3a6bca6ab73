/** Facts about models on hosts with a Chat Completions API. The sources are in `test/wire/fact-sources.ts`. */
import type { FactFamily, ModelFacts, ReasoningFacts } from './model-facts.ts'

/** OpenRouter converts one setting to the form of each model, and ignores it for a model without reasoning. */
export const openrouterModel: ModelFacts = {
  reasoning: {
    form: 'effort',
    efforts: ['minimal', 'low', 'medium', 'high', 'xhigh'],
    budget: [1, 128_000],
    byDefault: false,
    canBeOff: true,
  },
}

const SWITCH: ReasoningFacts = { form: 'switch', byDefault: true, canBeOff: true }

export const deepseekFacts: FactFamily = {
  name: 'deepseek',
  rows: [
    {
      models: ['deepseek-v4*', 'deepseek-flash', 'deepseek-pro'],
      facts: {
        contextTokens: 1_000_000,
        reasoning: { form: 'effort', efforts: ['low', 'high', 'max'], byDefault: true, canBeOff: true },
        cache: { form: 'automatic' },
      },
    },
    {
      models: ['deepseek-reasoner'],
      facts: { reasoning: { form: 'switch', byDefault: true, canBeOff: false }, cache: { form: 'automatic' } },
    },
    { models: ['deepseek-chat'], facts: { reasoning: false, cache: { form: 'automatic' } } },
  ],
}

export const moonshotFacts: FactFamily = {
  name: 'moonshot',
  rows: [
    { models: ['kimi-k2.5', 'kimi-k2.6'], facts: { contextTokens: 262_144, reasoning: SWITCH, input: ['image', 'video'] } },
    {
      models: ['kimi-k2-thinking'],
      facts: { contextTokens: 262_144, reasoning: { ...SWITCH, canBeOff: false }, input: [] },
    },
    { models: ['kimi-k2.7-code'], facts: { contextTokens: 262_144, reasoning: { ...SWITCH, canBeOff: false } } },
    { models: ['kimi-k2-0711', 'kimi-k2-0905', 'kimi-k2-turbo'], facts: { reasoning: false, input: [] } },
  ],
}

export const xaiFacts: FactFamily = {
  name: 'xai',
  rows: [
    {
      models: ['grok-4.3'],
      facts: {
        contextTokens: 1_000_000,
        reasoning: { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: true, canBeOff: true },
      },
    },
    {
      models: ['grok-3-mini'],
      facts: { reasoning: { form: 'effort', efforts: ['low', 'high'], byDefault: true, canBeOff: false } },
    },
    { models: ['grok-4.20-0309-non-reasoning', 'grok-4-fast-non-reasoning'], facts: { reasoning: false } },
  ],
}

const OSS: ModelFacts = {
  reasoning: { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: true, canBeOff: false },
  input: [],
}

export const groqFacts: FactFamily = {
  name: 'groq',
  rows: [
    { models: ['gpt-oss'], facts: { ...OSS, structuredOutput: true } },
    { models: ['qwen3-32b'], facts: { reasoning: SWITCH, structuredOutput: false, input: [] } },
    { models: ['llama-3.1', 'llama-3.3'], facts: { reasoning: false, structuredOutput: false, input: [] } },
    { models: ['llama-4'], facts: { reasoning: false, structuredOutput: true, input: ['image'] } },
  ],
}

/** Reasoning can be on, off, or set to an effort. The host treats every effort below `high` as `high`. */
const HIGH: ReasoningFacts = { form: 'effort', efforts: ['high', 'max'], byDefault: true, canBeOff: true }

export const togetherFacts: FactFamily = {
  name: 'together',
  rows: [
    { models: ['gpt-oss'], facts: OSS },
    { models: ['deepseek-v4-pro'], facts: { reasoning: HIGH } },
    { models: ['glm-5', 'glm-5.1', 'kimi-k2.6', 'qwen3.5', 'qwen3.6', 'cogito-v2'], facts: { reasoning: SWITCH } },
    { models: ['minimax-m2.7'], facts: { reasoning: { ...SWITCH, canBeOff: false } } },
  ],
}

export const fireworksFacts: FactFamily = { name: 'fireworks', rows: [{ models: ['gpt-oss'], facts: OSS }] }
