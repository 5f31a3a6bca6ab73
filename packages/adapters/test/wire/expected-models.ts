/**
 * What models accept, written by hand from the sources, and not from the table in `src/wire/facts`. Read on 2026-11-27:
 * - Pages of the providers: platform.claude.com/docs (models, effort, thinking, "What's new in Claude Opus 5.5" and "Haiku 5.5"),
 *   docs.cloud.google.com (thinking, "Developer's guide to Gemini 3.5 Flash"), docs.aws.amazon.com/nova (reasoning),
 *   community.openai.com/t/1386454 and openai.com's errors quoted in LibreChat#14231 and vane#1173.
 * - Tables of clients: models.dev (2026-07-02), pydantic-ai's profiles (2026-08-22, "live-verified" for OpenAI), the catalogs of
 *   `@ai-sdk/openai` 4.0.118, `@ai-sdk/anthropic` 4.0.105, `@ai-sdk/google` 4.0.121 and `@ai-sdk/mistral` 4.0.87, LiteLLM's table
 *   (2026-07-24).
 * - Request types: `openai` 6.30.1, `@anthropic-ai/sdk` 1.12.0, `@google/genai` 2.32.0.
 * A question mark is a fact about which sources disagree, or that only one has. It isn't checked.
 */

export interface Expected {
  /** Maximum output tokens. */
  readonly max: number | '?'
  /** Whether a temperature and `topP` are accepted. `off`: only while reasoning is off. `either`: like `off`, and only one of both. */
  readonly sampling: 'yes' | 'no' | 'off' | 'either' | '?'
  readonly stop?: 'no'
  /** True if the model reasons in a request that says nothing about it. */
  readonly thinks: boolean
  /** What is sent for the settings off, low, medium, high and { tokens: 4000 }. Empty: nothing. `none`: the form that turns it off. */
  readonly reasoning: readonly [off: string, low: string, medium: string, high: string, tokens: string]
  /** Settings that have no exact form, and are reported. */
  readonly inexact: readonly ('off' | 'low' | 'medium' | 'high' | 'tokens')[]
  readonly forced?: 'no' | 'off' | '?'
  readonly parallel?: 'no'
  /** `off`: tools only while reasoning is off, on Chat Completions. `no`: never. */
  readonly chatTools?: 'off' | 'no' | '?'
  /** False: Chat Completions doesn't serve the model. */
  readonly chat?: false
}

const NOTHING: Pick<Expected, 'thinks' | 'reasoning' | 'inexact'> = {
  thinks: false,
  reasoning: ['', '', '', '', ''],
  inexact: ['low', 'medium', 'high', 'tokens'],
}
const efforts = (off: string, thinks: boolean, ...inexact: Expected['inexact']) =>
  ({ thinks, reasoning: [off, 'low', 'medium', 'high', 'low'], inexact: [...inexact, 'tokens'] }) as const

const GPT_6 = { max: 128_000, sampling: 'no', ...efforts('low', true, 'off'), chatTools: '?' } as const
const GPT_6_OFF = { max: 128_000, sampling: 'off', ...efforts('none', true), chatTools: '?' } as const
const GPT_5_6 = { max: 128_000, sampling: 'off', ...efforts('none', true), chatTools: 'off' } as const
const GPT_5_5 = { max: 128_000, sampling: 'off', ...efforts('none', true), chatTools: '?' } as const
// Without an effort: models.dev has no temperature for these, and two live checks found that it is accepted.
const GPT_5_1 = { max: 128_000, sampling: '?', ...efforts('', false) } as const
// A user of OpenAI's forum: tools beside an effort are rejected on Chat since 5.4. AI SDK's catalog allows them.
const GPT_5_4 = { ...GPT_5_1, chatTools: '?' } as const
const GPT_5 = { max: 128_000, sampling: 'no', stop: 'no', ...efforts('minimal', true, 'off') } as const
const CODEX = { max: 128_000, sampling: 'no', ...efforts('low', true, 'off'), chat: false } as const
const PRO = {
  max: 128_000,
  sampling: 'no',
  thinks: true,
  reasoning: ['medium', 'medium', 'medium', 'high', 'medium'],
  inexact: ['off', 'low', 'tokens'],
  chat: false,
} as const
const ONLY_MEDIUM = {
  max: 16_384,
  sampling: 'no',
  thinks: true,
  reasoning: ['medium', 'medium', 'medium', 'medium', 'medium'],
  inexact: ['off', 'low', 'high', 'tokens'],
} as const
const O = { max: 100_000, sampling: 'no', ...efforts('low', true, 'off'), parallel: 'no' } as const
const GPT_4_1 = { max: 32_768, sampling: 'yes', ...NOTHING } as const
const GPT_4O = { max: 16_384, sampling: 'yes', ...NOTHING } as const

export const OPENAI: Readonly<Record<string, Expected>> = {
  'gpt-6-astra': GPT_6,
  'gpt-6.1-sol': GPT_6,
  'gpt-6.2-sol': GPT_6,
  'gpt-6-sol': GPT_6_OFF,
  'gpt-6-luna': GPT_6_OFF,
  'gpt-6.1-terra': GPT_6_OFF,
  'gpt-5.6': GPT_5_6,
  'gpt-5.6-sol': GPT_5_6,
  'gpt-5.6-terra': GPT_5_6,
  'gpt-5.6-luna': GPT_5_6,
  'gpt-5.5': GPT_5_5,
  'gpt-5.5-2026-04-23': GPT_5_5,
  'gpt-5.5-pro': PRO,
  'gpt-5.4': GPT_5_4,
  'gpt-5.4-mini': GPT_5_4,
  'gpt-5.4-nano': GPT_5_4,
  'gpt-5.4-2026-03-05': GPT_5_4,
  'gpt-5.4-pro': PRO,
  'gpt-5.3-chat-latest': { ...ONLY_MEDIUM, sampling: '?' },
  'gpt-5.2': GPT_5_1,
  'gpt-5.2-pro': PRO,
  'gpt-5.2-codex': CODEX,
  'gpt-5.2-chat-latest': ONLY_MEDIUM,
  'gpt-5.1': GPT_5_1,
  'gpt-5.1-2025-11-13': GPT_5_1,
  'gpt-5.1-codex': CODEX,
  'gpt-5.1-codex-max': CODEX,
  'gpt-5.1-codex-mini': CODEX,
  'gpt-5.1-chat-latest': ONLY_MEDIUM,
  'gpt-5': GPT_5,
  'gpt-5-2025-08-07': GPT_5,
  'gpt-5-mini': GPT_5,
  'gpt-5-nano': GPT_5,
  'gpt-5-codex': CODEX,
  'gpt-5-pro': {
    ...PRO,
    max: '?',
    reasoning: ['high', 'high', 'high', 'high', 'high'],
    inexact: ['off', 'low', 'medium', 'tokens'],
  },
  'gpt-4.1': GPT_4_1,
  'gpt-4.1-mini': GPT_4_1,
  'gpt-4.1-nano': GPT_4_1,
  'gpt-4o': GPT_4O,
  'gpt-4o-mini': GPT_4O,
  'gpt-4o-2024-11-20': GPT_4O,
  o1: O,
  o3: { ...O, stop: 'no' },
  'o3-mini': O,
  'o4-mini': { ...O, stop: 'no' },
  'o3-pro': { ...O, chat: false },
}

const CLAUDE_ALWAYS = { max: 128_000, sampling: 'no', ...efforts('low', true, 'off'), forced: 'no' } as const
const CLAUDE_5 = { max: 128_000, sampling: 'no', ...efforts('none', true) } as const
const CLAUDE_4_7 = { max: 128_000, sampling: 'no', ...efforts('', false) } as const
/** Adaptive by level, and a budget as it is. */
const CLAUDE_4_6 = {
  max: 128_000,
  sampling: 'either',
  thinks: false,
  reasoning: ['', 'low', 'medium', 'high', '4000'],
  inexact: [],
  forced: '?',
} as const
const CLAUDE_BUDGET = {
  max: 64_000,
  sampling: 'either',
  thinks: false,
  reasoning: ['', '2048', '8192', '16384', '4000'],
  inexact: [],
  forced: 'off',
} as const
const CLAUDE_3 = { sampling: 'yes', ...NOTHING } as const

export const ANTHROPIC: Readonly<Record<string, Expected>> = {
  'claude-fable-5-2': CLAUDE_ALWAYS,
  'claude-fable-5-1': CLAUDE_ALWAYS,
  // AI SDK's catalog allows a forced call, pydantic-ai's profile doesn't.
  'claude-fable-5': { ...CLAUDE_ALWAYS, forced: '?' },
  'claude-opus-5-5': CLAUDE_ALWAYS,
  'claude-sonnet-5-5': CLAUDE_ALWAYS,
  'claude-haiku-5-5': CLAUDE_5,
  'claude-opus-5': CLAUDE_5,
  'claude-sonnet-5': CLAUDE_5,
  'claude-opus-4-8': CLAUDE_4_7,
  'claude-opus-4-7': CLAUDE_4_7,
  'claude-opus-4-6': CLAUDE_4_6,
  // The provider's page and AI SDK's catalog: 128,000. LiteLLM and models.dev: 64,000.
  'claude-sonnet-4-6': CLAUDE_4_6,
  'claude-opus-4-5-20251101': CLAUDE_BUDGET,
  'claude-opus-4-5': CLAUDE_BUDGET,
  'claude-sonnet-4-5-20250929': CLAUDE_BUDGET,
  'claude-haiku-4-5-20251001': CLAUDE_BUDGET,
  'claude-opus-4-1-20250805': { ...CLAUDE_BUDGET, max: 32_000 },
  'claude-opus-4-20250514': { ...CLAUDE_BUDGET, max: 32_000, sampling: 'off' },
  'claude-sonnet-4-20250514': { ...CLAUDE_BUDGET, sampling: 'off' },
  'claude-3-7-sonnet-20250219': { ...CLAUDE_BUDGET, sampling: 'off' },
  'claude-3-5-sonnet-20241022': { ...CLAUDE_3, max: 8_192 },
  'claude-3-haiku-20240307': { ...CLAUDE_3, max: 4_096 },
}

const NOVA = { max: '?', sampling: 'yes', ...NOTHING } as const

export const BEDROCK: Readonly<Record<string, Expected>> = {
  'us.anthropic.claude-opus-5-5': CLAUDE_ALWAYS,
  'anthropic.claude-haiku-5-5': CLAUDE_5,
  'us.anthropic.claude-sonnet-5': CLAUDE_5,
  'global.anthropic.claude-opus-4-7': CLAUDE_4_7,
  'us.anthropic.claude-opus-4-6-v1': CLAUDE_4_6,
  'eu.anthropic.claude-sonnet-4-5-20250929-v1:0': CLAUDE_BUDGET,
  'anthropic.claude-haiku-4-5-20251001-v1:0': CLAUDE_BUDGET,
  'anthropic.claude-opus-4-1-20250805-v1:0': { ...CLAUDE_BUDGET, max: 32_000 },
  'us.amazon.nova-2-lite-v1:0': { max: '?', sampling: '?', ...efforts('', false) },
  'amazon.nova-pro-v1:0': NOVA,
  'amazon.nova-lite-v1:0': NOVA,
  'amazon.nova-micro-v1:0': NOVA,
}

const GEMINI = { max: 65_536, sampling: 'yes' } as const
const FROM_MINIMAL = { ...GEMINI, ...efforts('minimal', true, 'off') } as const
const FROM_LOW = { ...GEMINI, ...efforts('low', true, 'off') } as const
const budget = (off: string, thinks: boolean, ...inexact: Expected['inexact']): Expected => ({
  ...GEMINI,
  thinks,
  reasoning: [off, '2048', '8192', '16384', '4000'],
  inexact,
})

export const GOOGLE: Readonly<Record<string, Expected>> = {
  'gemini-4-hydrogen': FROM_LOW,
  'gemini-3.8-flash': FROM_LOW,
  'gemini-3.7-flash': FROM_LOW,
  'gemini-3.6-flash': FROM_MINIMAL,
  'gemini-3.5-flash': FROM_MINIMAL,
  'gemini-3.5-flash-lite': FROM_MINIMAL,
  'gemini-3.1-flash-lite': FROM_MINIMAL,
  'gemini-3.1-pro-preview': FROM_LOW,
  'gemini-3-flash-preview': FROM_MINIMAL,
  'gemini-3-pro-preview': {
    ...GEMINI,
    thinks: true,
    reasoning: ['low', 'low', 'low', 'high', 'low'],
    inexact: ['off', 'medium', 'tokens'],
  },
  'gemini-2.5-pro': budget('128', true, 'off'),
  'gemini-2.5-flash': budget('none', true),
  'models/gemini-2.5-flash': budget('none', true),
  'gemini-2.5-flash-lite': budget('', false),
  'gemini-2.0-flash': { max: 8_192, sampling: 'yes', ...NOTHING },
}

const MISTRAL = { max: '?', sampling: 'yes', ...NOTHING } as const
const NONE_OR_HIGH = {
  max: '?',
  sampling: 'yes',
  thinks: false,
  reasoning: ['', 'high', 'high', 'high', 'high'],
  inexact: ['low', 'medium', 'tokens'],
} as const

export const MISTRAL_AI: Readonly<Record<string, Expected>> = {
  'mistral-medium-2604': { ...NONE_OR_HIGH, max: 262_144 },
  'mistral-medium-3.5': NONE_OR_HIGH,
  'mistral-small-2603': NONE_OR_HIGH,
  'mistral-large-2512': { ...MISTRAL, max: 262_144 },
  'mistral-large-latest': MISTRAL,
  'codestral-2508': MISTRAL,
  'ministral-8b-2512': MISTRAL,
  'ministral-3b-latest': MISTRAL,
}

const COMMAND = { max: 4_000, sampling: 'yes', ...NOTHING } as const
/** The reference of the chat API: `thinking` with `token_budget`, enabled unless disabled. */
const COMMAND_THINKS = {
  sampling: 'yes',
  thinks: true,
  reasoning: ['none', '2048', '8192', '16384', '4000'],
  inexact: [],
} as const

export const COHERE: Readonly<Record<string, Expected>> = {
  'command-a-plus-05-2026': { ...COMMAND_THINKS, max: 64_000 },
  'command-a-reasoning-08-2025': { ...COMMAND_THINKS, max: 32_000 },
  'command-a-03-2025': { ...COMMAND, max: 8_000 },
  'command-r-08-2024': COMMAND,
  'command-r-plus-08-2024': COMMAND,
  'command-r7b-12-2024': COMMAND,
}

export const OLLAMA: Readonly<Record<string, Expected>> = {
  'gpt-oss:20b': { max: '?', sampling: 'yes', ...efforts('low', true, 'off') },
  'gpt-oss:120b': { max: '?', sampling: 'yes', ...efforts('low', true, 'off') },
  'qwen3:8b': { max: '?', sampling: 'yes', thinks: true, reasoning: ['none', 'on', 'on', 'on', 'on'], inexact: ['tokens'] },
  'deepseek-r1:7b': { max: '?', sampling: 'yes', thinks: true, reasoning: ['none', 'on', 'on', 'on', 'on'], inexact: ['tokens'] },
  'llama3.2:3b': { max: '?', sampling: 'yes', ...NOTHING },
  'llama3.1': { max: '?', sampling: 'yes', ...NOTHING },
}
