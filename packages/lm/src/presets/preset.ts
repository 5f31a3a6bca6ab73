/** The parts that all presets share: the provider's wire format, its address, and the environment variables for its key. */
import type { LM, WireFormat } from '@x/adapters'
import { assertModelOptions } from '../check-options.ts'
import { type CreateLMOptions, createLM } from '../create-lm.ts'
import { LMError } from '../errors.ts'

export interface PresetOptions extends Omit<CreateLMOptions, 'wire' | 'baseURL'> {
  /** Base URL. Default: the provider's URL. */
  baseURL?: string | undefined
}

export interface PresetLM extends Required<LM> {
  /** Name of the model, as it was passed. */
  readonly model: string
  readonly wire: WireFormat
}

export interface Preset {
  readonly name: string
  readonly wire: WireFormat
  readonly baseURL: string
  /** Names of the environment variables that may contain the key. Empty for a provider without keys. */
  readonly keyNames: readonly string[]
}

/** Creates the model. Throws `missing_setting` if the key is missing, and the errors of `createLM`. */
export function createPreset({ name, wire, baseURL, keyNames }: Preset, options: PresetOptions): PresetLM {
  assertModelOptions(name, options)
  const apiKey = options.apiKey || readEnvironment(keyNames)
  if (apiKey === undefined && keyNames.length > 0) throw missingKey(name, keyNames, 'apiKey')
  const lm = createLM({ ...options, wire, apiKey, baseURL: options.baseURL ?? baseURL })
  return Object.assign(lm, { model: options.model, wire })
}

/** Returns the value of the first of these environment variables that is set and not empty. */
export function readEnvironment(names: readonly string[]): string | undefined {
  const environment = globalThis.process?.env ?? {}
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== '')
}

export function missingKey(preset: string, names: readonly string[], option: string): LMError {
  return new LMError(
    'missing_setting',
    `${preset} needs a key. Set ${names.join(' or ')} in the environment, or pass \`${option}\`.`,
  )
}
