/** Preset for Gemini models on the Gemini API. */
import { gemini } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Creates a Gemini model. `apiKey` defaults to `GEMINI_API_KEY` or `GOOGLE_API_KEY`. */
export function google(options: PresetOptions): PresetLM {
  return createPreset(
    {
      name: 'google',
      wire: gemini,
      baseURL: 'https://generativelanguage.googleapis.com/v1beta',
      keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    },
    options,
  )
}
