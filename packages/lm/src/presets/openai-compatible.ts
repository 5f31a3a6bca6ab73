/** Preset for hosts and servers with an OpenAI-compatible Chat Completions API, which differs slightly between them. */
import type { OpenAIChatHostName } from '@x/adapters'
import { openaiChat, openaiChatHosts, openaiChatProfiles } from '@x/adapters/wire'
import { assertModelOptions } from '../check-options.ts'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Options with either the name of a known host, or the base URL of any other. */
export type OpenAICompatibleOptions = PresetOptions & ({ host: OpenAIChatHostName } | { host?: undefined; baseURL: string })

/** The environment variables that may contain each host's key. Local servers need no key. */
const KEY_NAMES: Readonly<Record<OpenAIChatHostName, readonly string[]>> = {
  groq: ['GROQ_API_KEY'],
  xai: ['XAI_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  together: ['TOGETHER_API_KEY'],
  fireworks: ['FIREWORKS_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
  alibaba: ['DASHSCOPE_API_KEY'],
  vllm: [],
  llamaCpp: [],
  lmStudio: [],
}

/**
 * Creates a model behind an OpenAI-compatible API. With `host`, requests follow that host's API, and `apiKey` defaults to the host's
 * environment variable, such as `GROQ_API_KEY`. With only a `baseURL`, requests follow OpenAI's API, and a key is sent only if `apiKey` is
 * set.
 */
export function openaiCompatible(given: OpenAICompatibleOptions): PresetLM {
  const name = 'openaiCompatible'
  assertModelOptions(name, given)
  const { host, ...options } = given
  if (host === undefined) return createPreset({ name, wire: openaiChat, baseURL: options.baseURL ?? '', keyNames: [] }, options)
  if (!Object.hasOwn(openaiChatHosts, host))
    throw new TypeError(
      `${name}: host ${JSON.stringify(host)} is unknown. Known hosts: ${Object.keys(openaiChatHosts).join(', ')}. For another host, pass baseURL alone.`,
    )
  const { baseURL } = openaiChatProfiles[host]
  return createPreset({ name: host, wire: openaiChatHosts[host], baseURL, keyNames: KEY_NAMES[host] }, options)
}
