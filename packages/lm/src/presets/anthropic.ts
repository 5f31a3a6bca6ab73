/** Models of Anthropic. */
import { anthropicMessages } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** The key is in `ANTHROPIC_API_KEY` unless it is given. */
export function anthropic(options: PresetOptions): PresetLM {
  return createPreset(
    { name: 'anthropic', wire: anthropicMessages, baseURL: 'https://api.anthropic.com/v1', keyNames: ['ANTHROPIC_API_KEY'] },
    options,
  )
}
