/** Preset for OpenAI models. */
import { openaiChat, openaiResponses } from '@x/adapters/wire'
import { assertModelOptions } from '../check-options.ts'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

export interface OpenAIOptions extends PresetOptions {
  /**
   * API to use. Default: `responses`, which sends reasoning models their reasoning back in later turns. Use `chat` for features
   * that only Chat Completions has. For other servers with that API, use `openaiCompatible`.
   */
  api?: 'responses' | 'chat' | undefined
}

/** Creates an OpenAI model. `apiKey` defaults to `OPENAI_API_KEY`. */
export function openai(given: OpenAIOptions): PresetLM {
  assertModelOptions('openai', given)
  const { api = 'responses', ...options } = given
  const wire = api === 'chat' ? openaiChat : openaiResponses
  return createPreset({ name: 'openai', wire, baseURL: 'https://api.openai.com/v1', keyNames: ['OPENAI_API_KEY'] }, options)
}
