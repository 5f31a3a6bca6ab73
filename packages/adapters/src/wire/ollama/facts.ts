/** Facts about open models on Ollama. The sources are in `test/wire/fact-sources.ts`. */
import type { FactFamily, ReasoningFacts } from '../facts/model-facts.ts'

const SWITCH: ReasoningFacts = { form: 'switch', byDefault: true, canBeOff: true }

export const ollamaFacts: FactFamily = {
  name: 'ollama',
  rows: [
    {
      models: ['gpt-oss'],
      facts: { reasoning: { form: 'effort', efforts: ['low', 'medium', 'high'], byDefault: true, canBeOff: false } },
    },
    { models: ['qwen3', 'qwen3.5', 'deepseek-r1'], facts: { reasoning: SWITCH } },
    { models: ['llama3', 'llama3.1', 'llama3.2', 'llama3.3', 'llama4', 'mistral', 'qwen2.5'], facts: { reasoning: false } },
  ],
}
