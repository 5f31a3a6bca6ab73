/** Profiles of the hosts with a Chat Completions API. Each profile lists only its differences from OpenAI. */
import type { Settings } from '../../protocol/protocol.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import {
  deepseekFacts,
  fireworksFacts,
  groqFacts,
  moonshotFacts,
  openrouterModel,
  togetherFacts,
  xaiFacts,
} from '../facts/hosts.ts'
import type { FactFamily, ModelFacts } from '../facts/model-facts.ts'
import { moonshotRules, openaiChatRules, xaiRules } from './rules.ts'

export interface OpenAIChatHost {
  /** Name of the wire format and key of its metadata, such as `openai-chat:groq`. */
  readonly name: string
  /** Default base URL. */
  readonly baseURL: string
  readonly toolRules: ToolRules
  /** Maximum length of a call id, in UTF-16 units. Default: unlimited. */
  readonly maxIdLength?: number
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens'
  /** Settings that the host accepts. */
  readonly settings: readonly (keyof Settings)[]
  /** Tool choices that the host accepts besides `auto` and `none`. `named` forces a call to one named tool. */
  readonly choices: readonly ('required' | 'named')[]
  /** True if the host accepts `parallel_tool_calls`. */
  readonly parallelSwitch: boolean
  readonly formats: readonly ('json_object' | 'json_schema')[]
  /** Content other than text that the host accepts in a user message. `image` is base64 data, and `image-url` is a URL. */
  readonly media: readonly ('image' | 'image-url' | 'audio' | 'pdf')[]
  /**
   * The format in which the host accepts the reasoning setting. `reasoning` is OpenRouter's object, and `reasoning_enabled` is an effort,
   * or an object that turns reasoning on or off. Default: unknown, so the setting is reported as lost.
   */
  readonly reasoning?: 'reasoning_effort' | 'thinking' | 'enable_thinking' | 'reasoning' | 'reasoning_enabled' | undefined
  /** Facts about the host's models. Default: the facts about OpenAI's and Anthropic's models. */
  readonly facts?: readonly FactFamily[] | undefined
  /** Facts to assume for other models on the host. */
  readonly unknown?: ModelFacts | undefined
  /** True if the host accepts `stream_options.include_usage`. */
  readonly streamUsage: boolean
  /** True if the host has OpenAI's fields for prompt caching. */
  readonly promptCache?: boolean
  /**
   * True if the host can mark the end of a prompt for the cache when the field `cache_control` is set. Used for models that need marks.
   */
  readonly marksPrompt?: boolean
  /** The reply field that the host must receive back in each turn. */
  readonly wantsBack?: 'reasoning_content' | 'reasoning_details'
  /**
   * True for a host that rejects an assistant message that has nothing but empty text. It is then left out and reported as a loss. Other
   * hosts get it, because the templates of some models require a turn of the model between two of the user.
   */
  readonly skipsEmpty?: boolean
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
  reasoning: 'reasoning_effort',
  streamUsage: true,
}

export const OPENAI: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat',
  baseURL: 'https://api.openai.com/v1',
  promptCache: true,
  maxIdLength: 40,
}

export const GROQ: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:groq',
  baseURL: 'https://api.groq.com/openai/v1',
  media: ['image', 'image-url'],
  facts: [groqFacts],
}

export const XAI: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:xai',
  baseURL: 'https://api.x.ai/v1',
  toolRules: xaiRules,
  media: ['image', 'image-url'],
  skipsEmpty: true,
  facts: [xaiFacts],
}

/**
 * DeepSeek's reasoning models reject a turn without its reasoning if the request has tools (api-docs.deepseek.com/guides/thinking_mode).
 * Strict tools are available only at DeepSeek's beta URL.
 */
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
  wantsBack: 'reasoning_content',
  reasoning: 'thinking',
  facts: [deepseekFacts],
}

export const TOGETHER: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:together',
  baseURL: 'https://api.together.xyz/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url'],
  reasoning: 'reasoning_enabled',
  facts: [togetherFacts],
}

export const FIREWORKS: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:fireworks',
  baseURL: 'https://api.fireworks.ai/inference/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url'],
  facts: [fireworksFacts],
}

/** OpenRouter's reasoning details contain the signatures of the underlying models, so they are sent back. */
export const OPENROUTER: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:openrouter',
  baseURL: 'https://openrouter.ai/api/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  wantsBack: 'reasoning_details',
  reasoning: 'reasoning',
  marksPrompt: true,
  unknown: openrouterModel,
}

/** Moonshot accepts only base64 images. Its models think by default, and reject a forced call while thinking. */
export const MOONSHOT: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:moonshot',
  baseURL: 'https://api.moonshot.ai/v1',
  toolRules: moonshotRules,
  choices: [],
  media: ['image'],
  wantsBack: 'reasoning_content',
  skipsEmpty: true,
  reasoning: 'thinking',
  facts: [moonshotFacts],
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
  reasoning: 'enable_thinking',
}

export const VLLM: OpenAIChatHost = {
  ...LIKE_OPENAI,
  name: 'openai-chat:vllm',
  baseURL: 'http://localhost:8000/v1',
  outputLimit: 'max_tokens',
  settings: [...SETTINGS, 'topK'],
  media: ['image', 'image-url', 'audio'],
}

/** llama.cpp treats a tool choice that is an object as `auto`. */
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

/** LM Studio rejects a tool choice that is an object, the format `json_object`, and image URLs. */
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
