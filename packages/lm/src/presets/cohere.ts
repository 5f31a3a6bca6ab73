/** Preset for Cohere models. */
import { cohereV2 } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Creates a Cohere model. `apiKey` defaults to `CO_API_KEY` or `COHERE_API_KEY`. */
export function cohere(options: PresetOptions): PresetLM {
  return createPreset(
    { name: 'cohere', wire: cohereV2, baseURL: 'https://api.cohere.com/v2', keyNames: ['CO_API_KEY', 'COHERE_API_KEY'] },
    options,
  )
}
