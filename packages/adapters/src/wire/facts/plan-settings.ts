/** Removes settings that a model rejects, and sets the output limit. */

import { once } from '../../once.ts'
import type { LMRequest, OutputLimit, Settings } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import type { Assume, ModelFacts, Refusal, ResolvedFacts } from './model-facts.ts'

/** Default values of settings. Removing a setting with this value changes nothing. */
const DEFAULTS: Settings = { temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0 }

export interface SettingsInput {
  readonly settings: Settings
  readonly facts: ResolvedFacts
  /** True if the model reasons in this request. */
  readonly isReasoning: boolean
  readonly isHighEffort?: boolean | undefined
  readonly assume: Assume
  readonly lose: Lose
}

/** Returns the settings that the model accepts. Reports a loss for each removed setting with a value other than the default. */
export function acceptedSettings(input: SettingsInput): Settings {
  const { settings, facts, assume, lose } = input
  const refused: RefusedSetting[] = []
  for (const refusal of facts.refuses ?? []) refused.push(...refusedBy(refusal, input))
  if (refused.length === 0) return settings
  const kept = { ...settings }
  for (const { name, note } of refused) {
    if (kept[name] === undefined) continue
    delete kept[name]
    if (settings[name] === DEFAULTS[name]) continue
    lose({ path: `/settings/${name}`, keyword: name, action: 'dropped', note })
    assume('refuses')
  }
  return kept
}

interface RefusedSetting {
  readonly name: keyof Settings
  readonly note: string
}

function refusedBy(refusal: Refusal, { settings, facts, isReasoning, isHighEffort }: SettingsInput): readonly RefusedSetting[] {
  const isSet = (name: keyof Settings) => {
    const value = settings[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined
  }
  const names = refusal.settings.filter(isSet)
  const refused: RefusedSetting[] = []
  if (refusal.when === 'together') {
    // Keeps the first setting whose value isn't the default.
    const [first = '', ...rest] = [...names].sort((a, b) => Number(isDefault(settings, a)) - Number(isDefault(settings, b)))
    for (const name of rest) refused.push({ name, note: `this model rejects ${name} together with ${first}` })
    return refused
  }
  if (refusal.when === 'reasoning' && !isReasoning) return []
  if (refusal.when === 'high_effort' && !isHighEffort) return []
  const { leastTopP = Number.POSITIVE_INFINITY } = refusal
  const isTaken = (name: keyof Settings) => name === 'topP' && (settings.topP ?? 0) >= leastTopP
  const canReasonLess = refusal.when === 'reasoning' && facts.reasoning !== false && facts.reasoning?.canBeOff !== false
  const what = names.includes('stop') ? 'stop sequences' : 'sampling settings'
  const why = refusal.when === 'high_effort' ? ' at a high effort' : canReasonLess ? ' while it reasons' : ''
  const note = `this model rejects ${what}${why}`
  for (const name of names) if (!isTaken(name)) refused.push({ name, note })
  return refused
}

function isDefault(settings: Settings, name: keyof Settings): boolean {
  return settings[name] === DEFAULTS[name]
}

export interface LimitInput extends Omit<SettingsInput, 'isReasoning'> {
  readonly request: LMRequest
  /** The output limit for unknown models of an API that requires one, in tokens. */
  readonly requiredLimit: number | undefined
  /** The reasoning budget of the request, in tokens. Reasoning counts toward the limit. */
  readonly budget: number
}

/**
 * Returns the output limit to send. A limit above the model's maximum is lowered to that maximum. Without a limit in the request, the
 * model's maximum is sent if the API requires a limit or has a lower default. That limit is then lowered to the room left in the context.
 */
export function outputLimit(input: LimitInput): number | undefined {
  const { settings, facts, requiredLimit, assume, lose } = input
  const { maxOutputTokens: most, defaultOutputTokens = most } = facts
  const wish = settings.maxOutputTokens
  if (wish !== undefined) {
    // A model that is newer than the table may have a higher limit than the assumed one.
    if (most === undefined || wish <= most || facts.source === 'assumed') return wish
    lose({
      path: '/settings/maxOutputTokens',
      keyword: 'maxOutputTokens',
      action: 'replaced',
      note: `the maximum of this model is ${most}`,
    })
    return most
  }
  if (requiredLimit === undefined && defaultOutputTokens === most) return undefined
  assume('maxOutputTokens')
  if (most === undefined) return requiredLimit === undefined ? undefined : requiredLimit + input.budget
  return Math.min(most, contextLeft(input, requiredLimit ?? LEAST))
}

const LEAST = 4_096

/** Returns the limit that truncated a reply: that of the request or of the model. Undefined if neither is known. */
export function limitOfReply({ settings }: LMRequest, { maxOutputTokens: most }: ModelFacts): OutputLimit | undefined {
  const wish = settings?.maxOutputTokens
  const tokens = Math.min(wish ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(tokens) ? { tokens, isMaximum: tokens === most } : undefined
}

/** Returns the number of tokens that the request leaves free in the context, but at least `least`. */
function contextLeft({ request, facts: { contextTokens } }: LimitInput, least: number): number {
  if (contextTokens === undefined) return Number.POSITIVE_INFINITY
  return Math.max(least, contextTokens - estimateTokens(request))
}

/** English text has about four characters per token, so an estimate with three rarely has too few tokens. */
const CHARACTERS_PER_TOKEN = 3
const TOKENS_PER_PART = 2_000

function estimateTokens({ messages, tools = [] }: LMRequest): number {
  let characters = 0
  let parts = 0
  for (const message of messages) {
    characters += message.content.length
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? []) characters += call.name.length + call.arguments.length
    else if (message.role !== 'system') parts += message.parts?.length ?? 0
  }
  for (const { function: spec } of tools) characters += lengthOf(spec)
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + parts * TOKENS_PER_PART
}

/** Returns the length of a tool as JSON. Computed once, because an agent sends the same tools with each request. */
const lengthOf = once((spec: object) => JSON.stringify(spec).length)
