/** The wire formats of the hosts with a Chat Completions API, by name. */
import type { FullWireFormat } from '../define-wire.ts'
import type { OpenAIChatBody } from './body.ts'
import type { OpenAIChatHostName } from './host-name.ts'
import {
  ALIBABA,
  DEEPSEEK,
  FIREWORKS,
  GROQ,
  LLAMA_CPP,
  LM_STUDIO,
  MOONSHOT,
  OPENROUTER,
  type OpenAIChatHost,
  TOGETHER,
  VLLM,
  XAI,
} from './hosts.ts'
import { defineOpenAIChatHost } from './wire.ts'

/**
 * The profile of each host. To define your own host, start from a similar one: `defineOpenAIChatHost({ ...openaiChatProfiles.vllm, name,
 * baseURL })`.
 */
export const openaiChatProfiles: Readonly<Record<OpenAIChatHostName, OpenAIChatHost>> = {
  groq: GROQ,
  xai: XAI,
  deepseek: DEEPSEEK,
  together: TOGETHER,
  fireworks: FIREWORKS,
  openrouter: OPENROUTER,
  moonshot: MOONSHOT,
  alibaba: ALIBABA,
  vllm: VLLM,
  llamaCpp: LLAMA_CPP,
  lmStudio: LM_STUDIO,
}

/** The wire format of each host. */
export const openaiChatHosts = Object.fromEntries(
  Object.entries(openaiChatProfiles).map(([name, host]) => [name, defineOpenAIChatHost(host)]),
) as Readonly<Record<OpenAIChatHostName, FullWireFormat<OpenAIChatBody>>>
