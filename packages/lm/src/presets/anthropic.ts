/** Preset for Anthropic models. */
import { anthropicMessages } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Creates an Anthropic model. `apiKey` defaults to `ANTHROPIC_API_KEY`. */
export function anthropic(options: PresetOptions): PresetLM {
  return createPreset(
    { name: 'anthropic', wire: anthropicMessages, baseURL: 'https://api.anthropic.com/v1', keyNames: ['ANTHROPIC_API_KEY'] },
    options,
  )
}
