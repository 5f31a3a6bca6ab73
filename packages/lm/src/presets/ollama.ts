/** Models that Ollama runs, on this machine unless another address is given. */
import { ollama as ollamaWire } from '@x/adapters/wire'
import { createPreset, type PresetLM, type PresetOptions } from './preset.ts'

/** Needs no key. */
export function ollama(options: PresetOptions): PresetLM {
  return createPreset({ name: 'ollama', wire: ollamaWire, baseURL: 'http://127.0.0.1:11434', keyNames: [] }, options)
}
