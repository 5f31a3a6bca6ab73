/** Facts about Google's models. The sources are in `test/wire/fact-sources.ts`. */
import type { FactFamily, InputKind, ModelFacts, ReasoningFacts } from './model-facts.ts'

const MEDIA: readonly InputKind[] = ['image', 'pdf', 'audio', 'video']
const budget = (least: number, most: number, canBeOff: boolean, byDefault = true): ReasoningFacts => ({
  form: 'budget',
  budget: [least, most],
  byDefault,
  canBeOff,
})
const FROM_LOW: ReasoningFacts = { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: true, canBeOff: false }
const FROM_MINIMAL: ReasoningFacts = { ...FROM_LOW, efforts: ['minimal', 'low', 'medium', 'high'] }

const GEMINI: ModelFacts = {
  contextTokens: 1_048_576,
  maxOutputTokens: 65_536,
  structuredOutput: true,
  strictTools: true,
  input: MEDIA,
  cache: { form: 'automatic', minTokens: 2_048 },
  toolSearch: false,
}
const GEMINI_3: ModelFacts = { ...GEMINI, reasoning: FROM_LOW }

export const googleFacts: FactFamily = {
  name: 'google',
  rows: [
    { models: ['gemini-3-pro'], facts: { ...GEMINI_3, reasoning: { ...FROM_LOW, efforts: ['low', 'high'] } } },
    { models: ['gemini-3.1-pro', 'gemini-3.7-flash', 'gemini-3.8-flash', 'gemini-4-hydrogen'], facts: GEMINI_3 },
    {
      models: ['gemini-3-flash', 'gemini-3.1-flash', 'gemini-3.5-flash', 'gemini-3.6-flash'],
      facts: { ...GEMINI_3, reasoning: FROM_MINIMAL },
    },
    { models: ['gemini-2.5-pro'], facts: { ...GEMINI, reasoning: budget(128, 32_768, false) } },
    { models: ['gemini-2.5-flash-lite'], facts: { ...GEMINI, reasoning: budget(512, 24_576, true, false) } },
    { models: ['gemini-2.5-flash'], facts: { ...GEMINI, reasoning: budget(1, 24_576, true) } },
    { models: ['gemini-2.0-flash'], facts: { ...GEMINI, maxOutputTokens: 8_192, reasoning: false, strictTools: false } },
    { models: ['gemini-1.5*', 'gemini-1.0*'], facts: { maxOutputTokens: 8_192, reasoning: false, strictTools: false } },
    {
      models: ['gemini-3*', 'gemini-4*', 'gemini-pro-latest', 'gemini-flash-latest', 'gemini-flash-lite-latest'],
      facts: GEMINI_3,
      assumed: true,
    },
  ],
}
