/** Parses option values. Errors suggest the nearest known name. */
import { nearestNames } from '@x/tool-core'
import { type LMChoice, PROVIDERS } from '../agent/providers.ts'
import { UsageError } from '../failure.ts'

/** The value of an option from `parseArgs`. */
export type OptionValue = string | boolean | undefined

/** Throws `UsageError` with the nearest known name if the name is unknown. */
export function assertKnown(what: string, shown: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const [nearest] = nearestNames(name, known, 1)
  const dashes = what === 'option' ? '--' : ''
  const way =
    nearest === undefined ? `Available: ${known.map((each) => dashes + each).join(', ')}.` : `Did you mean "${dashes}${nearest}"?`
  throw new UsageError(`Unknown ${what} ${shown}. ${way}`)
}

/** Returns the value of an option, or undefined if the option is missing. Throws `UsageError` if the option has no value. */
export function textOf(value: OptionValue, option: string, choices: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new UsageError(`${option} needs a value: ${choices}.`)
}

/** Parses `--port`. Returns undefined if the option is missing. Throws `UsageError` if the value isn't a port. */
export function parsePort(value: OptionValue): number | undefined {
  const text = textOf(value, '--port', 'a number from 0 to 65535')
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--port needs a number from 0 to 65535. It is "${text}".`)
}

/** Parses `--at-least`. Throws `UsageError` if the value isn't a percentage. */
export function parsePercentage(value: OptionValue, defaultPercentage: number): number {
  const text = textOf(value, '--at-least', 'a percentage from 0 to 100') ?? String(defaultPercentage)
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new UsageError(`--at-least needs a percentage from 0 to 100, not "${text}".`)
}

/** Parses `--lm`. Throws `UsageError` for an unknown provider, or a provider without a model. */
export function parseLM(value: OptionValue, standIn: 'rules' | 'searcher'): LMChoice {
  const choices = `${standIn}, <provider>:<model> with ${PROVIDERS.slice(0, 7).join(', ')}, …`
  const text = textOf(value, '--lm', choices) ?? standIn
  if (text === standIn) return { kind: standIn }
  if (text === 'rules' || text === 'searcher') throw new UsageError(`--lm ${text} can't be used here. Available: ${choices}`)
  const [name = '', ...rest] = text.split(':')
  const model = rest.join(':')
  const provider = PROVIDERS.find((known) => known === name)
  if (provider !== undefined && model !== '') return { kind: 'provider', provider, model }
  if (provider !== undefined) throw new UsageError(`--lm ${provider} needs a model name: --lm ${provider}:<model>`)
  const [nearest] = nearestNames(name, [standIn, ...PROVIDERS], 1)
  const way =
    nearest === undefined ? `Available: ${choices}` : `Did you mean "${nearest === standIn ? nearest : `${nearest}:<model>`}"?`
  throw new UsageError(`Unknown model "${text}". ${way}`)
}
