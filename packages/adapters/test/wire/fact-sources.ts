/** The sources of the facts in `src/wire/facts`, and what they disagree about. `docs/models.md` is written from them. */
import type { ModelFacts } from '../../src/wire/facts/model-facts.ts'

/** The day on which the sources were read. */
export const READ = '2026-11-27'

export const SOURCES = {
  'Claude models': 'platform.claude.com/docs/en/models (one page per model) and …/about-claude/models/overview',
  'Claude 5.5': "platform.claude.com, “What's new in Claude Opus 5.5”, “… Haiku 5.5”, and the migration guides of Opus 5 and 5.5",
  'Claude caching': 'platform.claude.com/docs/en/build-with-claude/prompt-caching, quoted in anthropic-sdk-python#1194',
  'Claude thinking': 'platform.claude.com/docs/en/build-with-claude/extended-thinking',
  OpenRouter: 'openrouter.ai/docs, “Model migrations: Claude 5.5”',
  'AI SDK':
    'the model catalogs of @ai-sdk/openai 4.0.118, anthropic 4.0.105, google 4.0.121, mistral 4.0.87, amazon-bedrock 5.0.101',
  'pydantic-ai': "pydantic-ai's profiles, 2026-08-22. Those of OpenAI were checked against the API",
  'models.dev': 'github.com/anomalyco/models.dev, 2026-07-02',
  LiteLLM: 'model_prices_and_context_window.json in github.com/RoCry/llm-api-price, 2026-07-24',
  'OpenAI error': "OpenAI's error for gpt-5.6 on Chat Completions: community.openai.com/t/1386454, LibreChat#14231, vane#1173",
  'OpenAI types': 'the request types of openai 6.30.1 and 7.59.0',
  'Claude types': 'the request types of @anthropic-ai/sdk 1.12.0 and 1.14.0',
  'Google types': 'the request types of @google/genai 2.32.0',
  'Google thinking': 'docs.cloud.google.com, “Thinking” and “Developer’s guide to Gemini 3.5 Flash”',
  'Google functions': 'ai.google.dev/gemini-api/docs/function-calling',
  'OpenAI caching': 'developers.openai.com/api/docs/guides/prompt-caching, cited by pydantic-ai',
  'OpenAI tool search': 'developers.openai.com/api/docs/guides/tools-tool-search, cited by pydantic-ai',
  'Nova reasoning': 'docs.aws.amazon.com/nova/latest/nova2-userguide, “Reasoning capabilities” and “Using the Converse API”',
  'Bedrock default': 'litellm#41529 (measured with boto3), langchain openwiki#743 and #745, LibreChat#14058',
  'Cohere types': 'the options of @ai-sdk/cohere 4.0.52, with docs.cohere.com/reference/chat',
  'Ollama thinking': 'docs.ollama.com, “Thinking”',
} as const

export type SourceName = keyof typeof SOURCES

/** The sources of each kind of fact, by family. */
export const FACT_SOURCES: Readonly<Record<string, Readonly<Partial<Record<keyof ModelFacts, readonly SourceName[]>>>>> = {
  anthropic: {
    contextTokens: ['Claude models', 'models.dev', 'LiteLLM'],
    maxOutputTokens: ['Claude models', 'AI SDK', 'models.dev'],
    defaultOutputTokens: ['Bedrock default'],
    refuses: ['Claude 5.5', 'Claude thinking', 'AI SDK', 'pydantic-ai', 'LiteLLM'],
    reasoning: ['Claude models', 'Claude 5.5', 'AI SDK', 'pydantic-ai', 'Claude types'],
    tools: ['AI SDK'],
    forcedCalls: ['Claude 5.5', 'AI SDK', 'pydantic-ai'],
    parallelSwitch: ['Claude types', 'LiteLLM'],
    strictTools: ['AI SDK', 'pydantic-ai'],
    structuredOutput: ['AI SDK', 'pydantic-ai'],
    input: ['models.dev', 'LiteLLM'],
    resultInput: ['Claude types', 'AI SDK'],
    cache: ['Claude caching', 'OpenRouter'],
    toolSearch: ['AI SDK', 'pydantic-ai'],
  },
  openai: {
    contextTokens: ['models.dev', 'LiteLLM'],
    maxOutputTokens: ['models.dev', 'LiteLLM'],
    refuses: ['pydantic-ai', 'AI SDK', 'models.dev'],
    reasoning: ['pydantic-ai', 'AI SDK', 'models.dev', 'OpenAI types'],
    tools: ['OpenAI error', 'AI SDK', 'LiteLLM'],
    parallelSwitch: ['LiteLLM', 'OpenAI types'],
    strictTools: ['pydantic-ai', 'models.dev'],
    structuredOutput: ['models.dev', 'AI SDK'],
    input: ['models.dev', 'LiteLLM'],
    resultInput: ['OpenAI types', 'AI SDK'],
    cache: ['OpenAI caching', 'AI SDK', 'pydantic-ai'],
    toolSearch: ['OpenAI tool search', 'pydantic-ai'],
    wires: ['AI SDK', 'LiteLLM'],
  },
  google: {
    contextTokens: ['Google thinking', 'models.dev'],
    maxOutputTokens: ['Google thinking', 'models.dev'],
    reasoning: ['Google thinking', 'models.dev', 'AI SDK', 'pydantic-ai', 'Google types'],
    strictTools: ['pydantic-ai', 'Google functions'],
    structuredOutput: ['models.dev', 'pydantic-ai'],
    input: ['models.dev', 'LiteLLM'],
    resultInput: ['Google functions', 'AI SDK', 'pydantic-ai'],
    cache: ['LiteLLM', 'Google types'],
    toolSearch: ['AI SDK'],
  },
  mistral: {
    contextTokens: ['models.dev', 'LiteLLM'],
    reasoning: ['AI SDK', 'models.dev'],
    parallelSwitch: ['AI SDK'],
    structuredOutput: ['AI SDK'],
    input: ['models.dev', 'AI SDK'],
    cache: ['AI SDK'],
    toolSearch: ['AI SDK'],
  },
  cohere: {
    contextTokens: ['models.dev', 'LiteLLM'],
    maxOutputTokens: ['models.dev', 'LiteLLM'],
    reasoning: ['Cohere types', 'models.dev'],
    tools: ['models.dev'],
    structuredOutput: ['Cohere types'],
    input: ['models.dev'],
    cache: ['Cohere types'],
    toolSearch: ['Cohere types'],
  },
  amazon: {
    contextTokens: ['LiteLLM', 'models.dev'],
    maxOutputTokens: ['LiteLLM'],
    refuses: ['Nova reasoning', 'AI SDK'],
    reasoning: ['Nova reasoning', 'AI SDK', 'models.dev'],
    input: ['models.dev', 'LiteLLM'],
    cache: ['LiteLLM', 'AI SDK'],
    toolSearch: ['AI SDK'],
  },
  ollama: { reasoning: ['Ollama thinking', 'pydantic-ai'] },
}

/** What sources say differently, and what the table takes. */
export const DISAGREEMENTS: readonly (readonly [models: string, fact: string, says: string, taken: string])[] = [
  [
    'Claude on Bedrock',
    'output limit without `maxTokens`',
    "AWS's reference: the maximum of the model. Four measurements by users: 4,096",
    '4,096, so the maximum is sent',
  ],
  ['claude-sonnet-4-6', 'output limit', "the provider's page, AI SDK: 128,000. LiteLLM, models.dev: 64,000", '128,000'],
  [
    'claude-opus-4-7, 4-8, sonnet-5, opus-5',
    'budget',
    'AI SDK, OpenRouter (opus-5): accepted. pydantic-ai, models.dev, LiteLLM: rejected',
    'rejected',
  ],
  ['claude-fable-5', 'forced call', 'AI SDK: accepted. pydantic-ai: rejected', 'rejected'],
  [
    'claude-4-6',
    'forced call while thinking is adaptive',
    'pydantic-ai: accepted. The page on extended thinking: rejected',
    'rejected',
  ],
  [
    'claude-sonnet-4-6',
    'minimum of the cache',
    'the provider: 1,024. A user measured 2,048 (anthropic-sdk-python#1194)',
    '1,024',
  ],
  [
    'claude-sonnet-5-5',
    'reasoning off',
    "an error of the API: `between_tools`. models.dev's form of it is unknown",
    'the lowest effort',
  ],
  ['gpt-5.1 to 5.4 without an effort', 'temperature', 'models.dev: rejected. pydantic-ai, AI SDK: accepted', 'accepted'],
  [
    'gpt-5.4, gpt-5.5 on Chat',
    'tools beside an effort',
    'a user of OpenAI’s forum: rejected since 5.4. AI SDK: accepted',
    'accepted',
  ],
  ['gpt-6-sol, 6-luna, 6.1-terra on Chat', 'tools beside an effort', 'oxen.ai: rejected. AI SDK: accepted', 'rejected'],
  ['gpt-6-astra, 6.1-sol, 6.2-sol on Chat', 'tools', 'a proxy: rejected. AI SDK: accepted', 'accepted'],
  ['gpt-5.3-chat-latest', 'temperature', 'models.dev: accepted. pydantic-ai: rejected', 'rejected'],
  ['gpt-5.4-mini, gpt-5.4-nano', 'context', 'LiteLLM: 1,050,000. models.dev: 400,000', '1,050,000, used only to compute a limit'],
  ['gpt-5-pro', 'output limit', 'models.dev: 272,000. LiteLLM: 128,000', '128,000'],
  ['gemini-2.5-flash', 'minimum budget', 'models.dev: 0. The provider: 1, and 0 turns thinking off', '1'],
  ['gemini-flash-latest', 'reasoning', 'models.dev: budgets. AI SDK: levels from low', 'levels from low'],
  ['nova', 'output limit', 'LiteLLM: 10,000. models.dev: 8,192; nova-2-lite: 64,000 or 4,096', "LiteLLM's"],
  ['magistral', 'reasoning off', 'pydantic-ai: never. AI SDK: effort none', 'none of the two: not in the table'],
]
