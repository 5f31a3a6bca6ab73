/** Converts an `LMRequest` to the call options of an AI SDK model. */
import type { LMRequest, ResponseFormat, Settings, ToolChoice } from '@x/adapters'
import type { Lose } from '../losses.ts'
import { isObject, type Json, optional } from '../read.ts'
import { isClosed } from './is-closed.ts'
import type { ToPrompt } from './prompt.ts'
import type { Version } from './versions.ts'

export interface CallOptionsContext {
  readonly version: Version
  readonly toPrompt: ToPrompt
  readonly lose: Lose
}

export function toCallOptions(request: LMRequest, { version, toPrompt, lose }: CallOptionsContext): Json {
  const { messages, settings, responseFormat } = request
  loseCachePoints(request, lose)
  return {
    prompt: toPrompt(messages, lose),
    ...encodeSettings(settings),
    ...(responseFormat && { responseFormat: encodeFormat(responseFormat) }),
    ...encodeReasoning(request, version, lose),
    ...encodeTools(request, version, lose),
    ...encodeOptions(request, lose),
  }
}

function encodeSettings({ stop, ...settings }: Settings = {}): Json {
  const { temperature, topP, topK, maxOutputTokens, seed, presencePenalty, frequencyPenalty } = settings
  const stopSequences = stop && [...stop]
  return optional({ temperature, topP, topK, maxOutputTokens, stopSequences, seed, presencePenalty, frequencyPenalty })
}

/**
 * Encodes the reasoning setting. Only version 4 of the AI SDK's interface has an option for it, and no version has one for a
 * token budget.
 */
function encodeReasoning({ reasoning }: LMRequest, version: Version, lose: Lose): Json {
  if (reasoning === undefined) return {}
  if (version.reasoning && typeof reasoning === 'string') return { reasoning: reasoning === 'off' ? 'none' : reasoning }
  const note = 'set it in providerOptions: each provider has its own option for it'
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', note })
  return {}
}

/** Reports cache points as a loss. The AI SDK has no common option for them. */
function loseCachePoints({ cache }: LMRequest, lose: Lose): void {
  const note = 'set the cache in providerOptions: each provider has its own option for it'
  if (Array.isArray(cache) && cache.length > 0) lose({ path: '/cache', keyword: 'cache', action: 'dropped', note })
}

function encodeFormat({ schema, name, description }: ResponseFormat): Json {
  return { type: 'json', ...optional({ schema, name, description }) }
}

/**
 * Converts the tools and their settings. Omits these fields if there are no tools. The AI SDK has no common option for parallel
 * calls; use the provider's own option.
 */
function encodeTools(
  { tools = [], toolChoice, search, parallelToolCalls, strictTools }: LMRequest,
  version: Version,
  lose: Lose,
): Json {
  if (search !== undefined) lose({ path: '/search', keyword: 'search', action: 'dropped' })
  if (tools.length === 0) return {}
  const note = 'set it in providerOptions: each provider has its own option for it'
  if (parallelToolCalls !== undefined) lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped', note })
  const encoded = tools.map(({ function: { name, description, parameters } }) => {
    const strict = strictTools === true && version.strictTools && isClosed(parameters)
    if (strictTools === true && !strict) lose({ path: '', keyword: 'strict', action: 'refused', tool: name })
    return { type: 'function', name, description, inputSchema: parameters, ...(strict && { strict }) }
  })
  return { tools: encoded, ...(toolChoice !== undefined && { toolChoice: encodeChoice(toolChoice) }) }
}

function encodeChoice(choice: ToolChoice): Json {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

/** Converts the provider options. The AI SDK requires one object of options per provider. */
function encodeOptions({ providerOptions }: LMRequest, lose: Lose): Json {
  if (providerOptions === undefined) return {}
  const entries = Object.entries(providerOptions)
  for (const [name, value] of entries) {
    if (isObject(value)) continue
    lose({ path: `/providerOptions/${name}`, keyword: name, action: 'dropped', note: 'not an options object for a provider' })
  }
  return { providerOptions: Object.fromEntries(entries.filter(([, value]) => isObject(value))) }
}
