/** Models of OpenAI. */
import { openaiChat, openaiResponses } from '@x/adapters/wire'
import { assertModelOptions } from '../check-options.ts'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

export interface OpenAIOptions extends PresetOptions {
  /**
   * `responses` unless told: there models that think get their thoughts back from turn to turn. `chat` for what only Chat Completions
   * has; for other servers that speak it there is `openaiCompatible`.
   */
  api?: 'responses' | 'chat' | undefined
}

/** The key is in `OPENAI_API_KEY` unless it is given. */
export function openai(given: OpenAIOptions): PresetLM {
  assertModelOptions('openai', given)
  const { api = 'responses', ...options } = given
  const wire = api === 'chat' ? openaiChat : openaiResponses
  return createPreset({ name: 'openai', wire, baseURL: 'https://api.openai.com/v1', keyNames: ['OPENAI_API_KEY'] }, options)
}
