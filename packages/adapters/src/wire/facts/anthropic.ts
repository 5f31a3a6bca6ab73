/** Facts about Anthropic's models. The sources are in `test/wire/fact-sources.ts`. */
import type { CacheFacts, FactFamily, InputKind, ModelFacts, ReasoningFacts, Refusal } from './model-facts.ts'

const SAMPLING = ['temperature', 'topP', 'topK'] as const
const REFUSED: readonly Refusal[] = [{ settings: SAMPLING, when: 'always' }]
const WHILE_THINKING: Refusal = { settings: SAMPLING, when: 'reasoning', leastTopP: 0.95 }
const EITHER: Refusal = { settings: ['temperature', 'topP'], when: 'together' }
const MEDIA: readonly InputKind[] = ['image', 'pdf']

const cache = (minTokens: number): CacheFacts => ({ form: 'marks', maxMarks: 4, minTokens })

const ALWAYS: ReasoningFacts = {
  form: 'adaptive',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  byDefault: true,
  canBeOff: false,
}
const UNLESS_OFF: ReasoningFacts = { ...ALWAYS, canBeOff: true }
const ON_REQUEST: ReasoningFacts = { ...UNLESS_OFF, byDefault: false }

/** Facts about Claude 5 and later. */
const CLAUDE_5: ModelFacts = {
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  refuses: REFUSED,
  reasoning: UNLESS_OFF,
  parallelSwitch: true,
  strictTools: true,
  structuredOutput: true,
  input: MEDIA,
  cache: cache(512),
  toolSearch: true,
}
const CLAUDE_4_6: ModelFacts = {
  ...CLAUDE_5,
  refuses: [WHILE_THINKING, EITHER],
  reasoning: {
    form: 'adaptive',
    efforts: ['low', 'medium', 'high', 'max'],
    budget: [1_024, 127_999],
    byDefault: false,
    canBeOff: true,
  },
  forcedCalls: 'without_reasoning',
  cache: cache(4_096),
}
const BUDGET: ReasoningFacts = { form: 'budget', budget: [1_024, 63_999], byDefault: false, canBeOff: true }
const CLAUDE_4_5: ModelFacts = {
  ...CLAUDE_4_6,
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  reasoning: BUDGET,
  cache: cache(4_096),
}
const CLAUDE_4: ModelFacts = {
  ...CLAUDE_4_5,
  refuses: [WHILE_THINKING],
  strictTools: false,
  structuredOutput: false,
  cache: cache(1_024),
  toolSearch: false,
}
const OPUS_4: ModelFacts = { ...CLAUDE_4, maxOutputTokens: 32_000, reasoning: { ...BUDGET, budget: [1_024, 31_999] } }
const CLAUDE_3: ModelFacts = {
  ...CLAUDE_4,
  maxOutputTokens: 4_096,
  refuses: [],
  reasoning: false,
  forcedCalls: true,
  cache: cache(2_048),
}

export const anthropicFacts: FactFamily = {
  name: 'anthropic',
  rename,
  // Bedrock's reference states that the default is the model's own limit. Users measured 4,096.
  on: { 'bedrock-converse': { defaultOutputTokens: 4_096, toolSearch: false } },
  rows: [
    {
      models: [
        'claude-opus-5-5',
        'claude-sonnet-5-5',
        'claude-fable-5',
        'claude-fable-5-1',
        'claude-fable-5-2',
        'claude-mythos-5',
      ],
      facts: { ...CLAUDE_5, reasoning: ALWAYS, forcedCalls: false },
    },
    { models: ['claude-haiku-5-5', 'claude-opus-5'], facts: CLAUDE_5 },
    { models: ['claude-sonnet-5'], facts: { ...CLAUDE_5, cache: cache(1_024) } },
    { models: ['claude-opus-4-8'], facts: { ...CLAUDE_5, reasoning: ON_REQUEST, cache: cache(1_024) } },
    { models: ['claude-opus-4-7'], facts: { ...CLAUDE_5, reasoning: ON_REQUEST, cache: cache(2_048) } },
    { models: ['claude-opus-4-6'], facts: CLAUDE_4_6 },
    { models: ['claude-sonnet-4-6'], facts: { ...CLAUDE_4_6, cache: cache(1_024) } },
    { models: ['claude-opus-4-5'], facts: { ...CLAUDE_4_5, reasoning: { ...BUDGET, efforts: ['low', 'medium', 'high'] } } },
    { models: ['claude-sonnet-4-5'], facts: { ...CLAUDE_4_5, cache: cache(1_024) } },
    { models: ['claude-haiku-4-5'], facts: CLAUDE_4_5 },
    {
      models: ['claude-opus-4-1'],
      facts: { ...OPUS_4, refuses: [WHILE_THINKING, EITHER], strictTools: true, structuredOutput: true },
    },
    { models: ['claude-opus-4', 'claude-opus-4-0'], facts: OPUS_4 },
    { models: ['claude-sonnet-4', 'claude-sonnet-4-0', 'claude-sonnet-3-7'], facts: CLAUDE_4 },
    { models: ['claude-sonnet-3-5'], facts: { ...CLAUDE_3, maxOutputTokens: 8_192, cache: cache(1_024) } },
    { models: ['claude-haiku-3-5'], facts: { ...CLAUDE_3, maxOutputTokens: 8_192 } },
    { models: ['claude-haiku-3', 'claude-opus-3', 'claude-sonnet-3'], facts: CLAUDE_3 },
    {
      models: ['claude-2', 'claude-2-1', 'claude-v2', 'claude-instant'],
      facts: { maxOutputTokens: 4_096, reasoning: false, tools: false, cache: { form: 'none' } },
    },
    { models: ['claude-*'], facts: CLAUDE_5, assumed: true },
  ],
}

/** Moves the version to the end: `claude-4.7-opus` becomes `claude-opus-4-7`. */
function rename(name: string): string {
  if (!name.startsWith('claude-')) return name
  return name.replaceAll('.', '-').replace(/^claude-(\d(?:-\d{1,2})?)-([a-z]+)/, 'claude-$2-$1')
}
