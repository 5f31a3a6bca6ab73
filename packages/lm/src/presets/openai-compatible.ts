/** Models of the many hosts and servers that speak OpenAI's Chat Completions, each in its own way. */
import { type OpenAIChatHostName, openaiChat, openaiChatHosts, openaiChatProfiles } from '@x/adapters/wire'
import { assertModelOptions } from '../check-options.ts'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** A host that is known, or the address of one that is not. */
export type OpenAICompatibleOptions = PresetOptions & ({ host: OpenAIChatHostName } | { host?: undefined; baseURL: string })

/** Where each host's key is; a server on one's own machine needs none. */
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
 * With `host`, as that host wants it; its key is in the environment unless it is given, e.g. in `GROQ_API_KEY`. With `baseURL` alone,
 * as OpenAI itself wants it, with a key only where one is given.
 */
export function openaiCompatible(given: OpenAICompatibleOptions): PresetLM {
  const name = 'openaiCompatible'
  assertModelOptions(name, given)
  const { host, ...options } = given
  if (host === undefined) return createPreset({ name, wire: openaiChat, baseURL: options.baseURL ?? '', keyNames: [] }, options)
  if (!Object.hasOwn(openaiChatHosts, host))
    throw new TypeError(`${name}: host ${JSON.stringify(host)} is not known. Known: ${Object.keys(openaiChatHosts).join(', ')}.`)
  const { baseURL } = openaiChatProfiles[host]
  return createPreset({ name: host, wire: openaiChatHosts[host], baseURL, keyNames: KEY_NAMES[host] }, options)
}
