/** Facts about Mistral's models. The sources are in `test/wire/fact-sources.ts`. */
import type { FactFamily, ModelFacts, ReasoningFacts } from './model-facts.ts'

const EFFORT: ReasoningFacts = { form: 'effort', efforts: ['high'], byDefault: false, canBeOff: true }
const MISTRAL: ModelFacts = {
  reasoning: false,
  parallelSwitch: true,
  structuredOutput: true,
  cache: { form: 'key' },
  toolSearch: false,
}
const REASONING_MISTRAL: ModelFacts = { ...MISTRAL, contextTokens: 262_144, reasoning: EFFORT, input: ['image', 'pdf'] }

export const mistralFacts: FactFamily = {
  name: 'mistral',
  rows: [
    {
      models: ['mistral-large-4'],
      facts: { ...MISTRAL, reasoning: { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: true, canBeOff: false } },
    },
    {
      models: ['mistral-medium-2604', 'mistral-medium-3.5', 'mistral-medium-3-5'],
      facts: { ...REASONING_MISTRAL, maxOutputTokens: 262_144 },
    },
    { models: ['mistral-small-2603'], facts: REASONING_MISTRAL },
    {
      models: ['mistral-large-2512', 'mistral-large-latest', 'mistral-large-3'],
      facts: { ...MISTRAL, contextTokens: 262_144, maxOutputTokens: 262_144, input: ['image', 'pdf'] },
    },
    {
      models: ['codestral', 'devstral', 'ministral', 'mistral-large', 'open-mistral', 'open-mixtral', 'pixtral'],
      facts: MISTRAL,
    },
  ],
}
