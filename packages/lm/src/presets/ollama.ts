/** Preset for models in Ollama, which runs on this machine by default. */
import { ollama as ollamaWire } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Creates a model in Ollama. Needs no key. */
export function ollama(options: PresetOptions): PresetLM {
  return createPreset({ name: 'ollama', wire: ollamaWire, baseURL: 'http://127.0.0.1:11434', keyNames: [] }, options)
}
