/** Option checks that all functions for creating models share. */
import type { LM, ModelFacts } from '@x/adapters'
import { LMError } from './errors.ts'

/** Throws `TypeError` if `lm` isn't a language model. */
export function assertLM(owner: string, lm: unknown): asserts lm is LM {
  if (typeof (lm as Partial<LM> | null | undefined)?.generate === 'function') return
  throw new TypeError(`${owner}: the model must be an LM, such as createLM({ wire, baseURL, model }), got ${kindOf(lm)}.`)
}

/** Throws `TypeError` if `options` isn't an object with a model name. */
export function assertModelOptions(owner: string, options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${owner}: the options must be an object, got ${kindOf(options)}. Write ${owner}({ model: 'name', … }).`)
  const { model } = options as { readonly model?: unknown }
  if (typeof model === 'string') return
  throw new TypeError(
    `${owner}: model must be a string, the host's name for the model, got ${kindOf(model)}. Write ${owner}({ model: 'name', … }).`,
  )
}

/** Throws `TypeError` if the value is neither a function nor undefined. */
export function assertFunction(owner: string, name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw new TypeError(`${owner}: ${name} must be a function or undefined, got ${kindOf(value)}.`)
}

/**
 * Throws `TypeError` if the value is neither an object nor undefined. `fields` lists the expected fields in the error message.
 */
export function assertObject(owner: string, name: string, value: unknown, fields: string): void {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return
  throw new TypeError(`${owner}: ${name} must be ${fields}, or undefined, got ${kindOf(value)}.`)
}

/** Throws `TypeError` if the value isn't a valid `cache` option. */
export function assertCache(owner: string, cache: unknown): void {
  if (cache === 'auto' || cache === 'off' || (Array.isArray(cache) && cache.every(isCachePoint))) return
  const given = typeof cache === 'string' ? `"${cache}"` : kindOf(cache)
  throw new TypeError(
    `${owner}: cache must be 'auto', 'off' or a list of points, got ${given}. Points are 'tools', 'system', 'turn' and indices of messages.`,
  )
}

function isCachePoint(point: unknown): boolean {
  return point === 'tools' || point === 'system' || point === 'turn' || (Number.isInteger(point) && Number(point) >= 0)
}

/** Throws `TypeError` for facts about a model with an unknown name, or with a value of the wrong type. */
export function assertFacts(owner: string, facts: ModelFacts = {}): void {
  assertObject(owner, 'facts', facts, '{ maxOutputTokens, reasoning, … }')
  for (const [name, value] of Object.entries(facts)) {
    const must = Object.hasOwn(FACTS, name) ? FACTS[name as keyof ModelFacts] : undefined
    if (must === undefined)
      throw new TypeError(`${owner}: facts.${name} is unknown. Known facts: ${Object.keys(FACTS).join(', ')}.`)
    const isValid = must === COUNT ? Number.isInteger(value) && value > 0 : must !== REASONING || value === false || value?.form
    if (value !== undefined && !isValid) throw new TypeError(`${owner}: facts.${name} must be ${must}, got ${kindOf(value)}.`)
  }
}

const COUNT = 'a positive integer'
const REASONING = 'false or { form, byDefault, canBeOff }'
/** The expected value of each fact, as text for an error. Empty if the fact isn't checked. */
const FACTS: Readonly<Record<keyof ModelFacts, string>> = {
  contextTokens: COUNT,
  maxOutputTokens: COUNT,
  defaultOutputTokens: COUNT,
  refuses: '',
  reasoning: REASONING,
  tools: '',
  forcedCalls: '',
  parallelSwitch: '',
  strictTools: '',
  structuredOutput: '',
  input: '',
  cache: '',
  toolSearch: '',
  wires: '',
}

/** Describes an invalid value. Shows only its type, because the value may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return value instanceof Promise ? 'a promise. Await it first' : `a value of type ${typeof value}`
}

/**
 * Creates a `missing_package` error. `purpose` completes the sentence "The package x is needed …". Put the `import()` inside
 * `try`, so that bundlers accept that the package may be missing.
 */
export function missingPackage(name: string, purpose: string, cause: unknown): LMError {
  return new LMError('missing_package', `The package ${name} is needed ${purpose}. Install it: npm i ${name}`, { cause })
}
