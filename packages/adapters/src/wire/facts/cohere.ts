/** Facts about Cohere's models. The sources are in `test/wire/fact-sources.ts`. */
import type { FactFamily, ModelFacts, ReasoningFacts } from './model-facts.ts'

const COMMAND: ModelFacts = {
  contextTokens: 128_000,
  maxOutputTokens: 4_000,
  reasoning: false,
  structuredOutput: true,
  input: [],
  cache: { form: 'none' },
  toolSearch: false,
}

const budget = (most: number): ReasoningFacts => ({ form: 'budget', budget: [1, most], byDefault: true, canBeOff: true })

export const cohereFacts: FactFamily = {
  name: 'cohere',
  // Each name ends with a star because a month can follow it: `command-r-08-2024`.
  rows: [
    { models: ['command-a-plus*'], facts: { ...COMMAND, maxOutputTokens: 64_000, reasoning: budget(63_000), input: ['image'] } },
    {
      models: ['command-a-reasoning*'],
      facts: { ...COMMAND, contextTokens: 256_000, maxOutputTokens: 32_000, reasoning: budget(31_000) },
    },
    { models: ['command-a-vision*'], facts: { ...COMMAND, maxOutputTokens: 8_000, tools: false, input: ['image'] } },
    { models: ['command-a-03*'], facts: { ...COMMAND, contextTokens: 256_000, maxOutputTokens: 8_000 } },
    { models: ['command-r*'], facts: COMMAND },
  ],
}
