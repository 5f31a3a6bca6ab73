/** Facts about Amazon's models. `sources/amazon.ts` has the source of each. */
import type { CacheFacts, FactFamily, ModelFacts } from './model-facts.ts'

const NOVA_CACHE: CacheFacts = { form: 'marks', maxMarks: 4, minTokens: 1_000 }
const NOVA: ModelFacts = {
  contextTokens: 300_000,
  maxOutputTokens: 10_000,
  reasoning: false,
  input: ['image', 'pdf', 'video'],
  cache: NOVA_CACHE,
  toolSearch: false,
}

export const amazonFacts: FactFamily = {
  name: 'amazon',
  rows: [
    {
      models: ['nova-2-lite', 'nova-2-pro'],
      facts: {
        ...NOVA,
        contextTokens: 1_000_000,
        maxOutputTokens: 64_000,
        reasoning: { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: false, canBeOff: true },
      },
    },
    { models: ['nova-lite', 'nova-pro'], facts: NOVA },
    { models: ['nova-micro'], facts: { ...NOVA, contextTokens: 128_000, input: [] } },
    { models: ['nova-premier'], facts: { ...NOVA, contextTokens: 1_000_000, cache: { form: 'none' } } },
  ],
}
