/** Models of Mistral. */
import { mistral as mistralWire } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** The key is in `MISTRAL_API_KEY` unless it is given. */
export function mistral(options: PresetOptions): PresetLM {
  return createPreset(
    { name: 'mistral', wire: mistralWire, baseURL: 'https://api.mistral.ai/v1', keyNames: ['MISTRAL_API_KEY'] },
    options,
  )
}
