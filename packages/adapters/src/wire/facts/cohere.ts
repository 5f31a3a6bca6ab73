/** Facts about Cohere's models. `sources/cohere.ts` has the source of each. */
import type { FactFamily, ModelFacts } from './model-facts.ts'

const COMMAND: ModelFacts = {
  contextTokens: 128_000,
  maxOutputTokens: 4_000,
  reasoning: false,
  structuredOutput: true,
  cache: { form: 'none' },
  toolSearch: false,
}

export const cohereFacts: FactFamily = {
  name: 'cohere',
  rows: [
    {
      models: ['command-a-reasoning'],
      facts: {
        ...COMMAND,
        contextTokens: 256_000,
        maxOutputTokens: 32_000,
        reasoning: { form: 'budget', budget: [1, 31_000], byDefault: true, canBeOff: true },
      },
    },
    { models: ['command-a-03'], facts: { ...COMMAND, contextTokens: 256_000, maxOutputTokens: 8_000 } },
    { models: ['command-r', 'command-r-plus', 'command-r7b', 'command-r-08', 'command-r-plus-08'], facts: COMMAND },
  ],
}
