/** Preset for Mistral models. */
import { mistral as mistralWire } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Creates a Mistral model. `apiKey` defaults to `MISTRAL_API_KEY`. */
export function mistral(options: PresetOptions): PresetLM {
  return createPreset(
    { name: 'mistral', wire: mistralWire, baseURL: 'https://api.mistral.ai/v1', keyNames: ['MISTRAL_API_KEY'] },
    options,
  )
}
