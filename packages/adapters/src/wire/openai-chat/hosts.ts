/** How the hosts that speak Chat Completions differ, as data. What a profile does not say is as at OpenAI. */
import type { Settings } from '../../protocol/protocol.ts'
import type { ToolRules } from '../../shaping/tool-rules.ts'
import { moonshotRules, openaiChatRules, xaiRules } from './rules.ts'

export interface OpenAIChatHost {
  /** Of the wire, and of its metadata: `openai-chat:groq`. */
  readonly name: string
  /** Where the host listens unless it is told otherwise. */
  readonly baseURL: string
  readonly toolRules: ToolRules
  /** How long the id of a call may be, in UTF-16 units; any length unless told. */
  readonly maxIdLength?: number
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens'
  /** The settings it takes. */
  readonly settings: readonly (keyof Settings)[]
  /** The choices it takes besides `auto` and `none`; `named` is one tool by its name. */
  readonly choices: readonly ('required' | 'named')[]
  /** Takes `parallel_tool_calls`. */
  readonly parallelSwitch: boolean
  readonly formats: readonly ('json_object' | 'json_schema')[]
  /** What a message of the user may hold besides text; `image` is in base64, `image-url` by its address. */
  readonly media: readonly ('image' | 'image-url' | 'audio' | 'pdf')[]
  /** Takes `stream_options.include_usage`. */
  readonly streamUsage: boolean
  /** What of its own replies it wants back, and whether only beside calls. */
  readonly wantsBack?: { readonly field: 'reasoning_content' | 'reasoning_details'; readonly beside: 'calls' | 'everything' }
}

const SETTINGS: readonly (keyof Settings)[] = [
  'temperature',
  'topP',
  'maxOutputTokens',
  'stop',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
]

const LIKE_OPENAI: Omit<OpenAIChatHost, 'name' | 'baseURL'> = {
  toolRules: openaiChatRules,
  outputLimit: 'max_completion_tokens',
  settings: SETTINGS,
  choices: ['required', 'named'],
  parallelSwitch: true,
  formats: ['json_object', 'json_schema'],
  media: ['image', 'image-url', 'audio', 'pdf'],
  streamUsage: true,
}

export const OPENAI: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat',
  baseURL: 'https://api.openai.com/v1',
  maxIdLength: 40,
}

export const GROQ: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:groq',
  baseURL: 'https://api.groq.com/openai/v1',
  media: ['image', 'image-url'],
}

export const XAI: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:xai',
  baseURL: 'https://api.x.ai/v1',
  toolRules: xaiRules,
  media: ['image', 'image-url'],
}

/** Its thinking models refuse a turn with calls whose reasoning is missing. Strict tools are only under its beta address. */
export const DEEPSEEK: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:deepseek',
  baseURL: 'https://api.deepseek.com',
  toolRules: withoutStrict('openai-chat:deepseek'),
  outputLimit: 'max_tokens',
  settings: without('seed'),
  parallelSwitch: false,
  formats: ['json_object'],
  media: [],
  wantsBack: { field: 'reasoning_content', beside: 'calls' },
}

export const TOGETHER: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:together',
  baseURL: 'https://api.together.xyz/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url'],
}

export const FIREWORKS: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:fireworks',
  baseURL: 'https://api.fireworks.ai/inference/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url'],
}

/** Its reasoning details hold the signatures of the models behind it. */
export const OPENROUTER: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:openrouter',
  baseURL: 'https://openrouter.ai/api/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  wantsBack: { field: 'reasoning_details', beside: 'everything' },
}

/** Takes images in base64 only. Its models think unless told otherwise, and then refuse to be forced to call. */
export const MOONSHOT: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:moonshot',
  baseURL: 'https://api.moonshot.ai/v1',
  toolRules: moonshotRules,
  choices: [],
  media: ['image'],
  wantsBack: { field: 'reasoning_content', beside: 'everything' },
}

export const ALIBABA: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:alibaba',
  baseURL: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  toolRules: withoutStrict('openai-chat:alibaba'),
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  choices: ['named'],
  media: ['image', 'image-url'],
}

export const VLLM: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:vllm',
  baseURL: 'http://localhost:8000/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url', 'audio'],
}

/** Reads a choice that is an object as `auto`. */
export const LLAMA_CPP: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:llama-cpp',
  baseURL: 'http://localhost:8080/v1',
  toolRules: withoutStrict('openai-chat:llama-cpp'),
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  choices: ['required'],
  media: ['image', 'image-url', 'audio'],
}

/** Refuses a choice that is an object, the format `json_object`, and images by their address. */
export const LM_STUDIO: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:lm-studio',
  baseURL: 'http://localhost:1234/v1',
  toolRules: withoutStrict('openai-chat:lm-studio'),
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  choices: ['required'],
  parallelSwitch: false,
  formats: ['json_schema'],
  media: ['image'],
}

function without(setting: keyof Settings): readonly (keyof Settings)[] {
  return SETTINGS.filter((one) => one !== setting)
}

function withoutStrict(id: string): ToolRules {
  const { strict, ...rules } = openaiChatRules
  return { ...rules, id }
}
