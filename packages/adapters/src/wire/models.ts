/**
 * Settings and output limits of OpenAI and Anthropic models. A model is recognized by its name on any host: `gpt-5`, `openai/gpt-5`,
 * `us.anthropic.claude-opus-4-7-v1:0`. An unknown model is assumed to accept every setting and to have the lowest output limit.
 */
import type { LMRequest, Settings } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { objectAt, stringAt } from './read-json.ts'

/** Models that reject sampling settings: o1 and later, gpt-5, and gpt-5.5 and later, except their chat variants. */
const OPENAI = /(?:^|[/.]|^[\w-]+:)(?:o\d|gpt-(?:5(?!\d|\.[1-4](?!\d))|[6-9]|1\d))(?![^:]*-chat)/i
/** Models that reject sampling settings only together with a reasoning effort: gpt-5.1 to gpt-5.4. */
const OPENAI_BY_EFFORT = /(?:^|[/.]|^[\w-]+:)gpt-5\.[1-4](?!\d)(?![^:]*-chat)/i
/**
 * Models that reject sampling settings: Opus 4.7 and later, and all families since version 5. The version may come before the family, as in
 * `claude-4-7-opus`.
 */
const ANTHROPIC =
  /claude-(?:opus-4[-.](?:[7-9]|\d\d)(?!\d)|4[-.](?:[7-9]|\d\d)-opus|[a-z]+-(?:[5-9]|\d\d)(?!\d)|(?:[5-9]|\d\d)(?:[-.]\d)?-[a-z])/i

/** Models that accept either a temperature or `topP`, but not both: Opus 4.1, and all families since version 4.5. */
const ANTHROPIC_EITHER = /claude-(?:[a-z]+-4[-.](?:[1-9]|\d\d)(?!\d)|4[-.](?:[1-9]|\d\d)-[a-z])/i
/**
 * Models that reject stop sequences: gpt-5, o3 and o4-mini. Sources: the description of `stop` in OpenAI's API, and an error from gpt-5.
 */
const WITHOUT_STOP = /(?:^|[/.]|^[\w-]+:)(?:o3(?!-mini)|o4|gpt-5(?![\d.]))(?![^:]*-chat)/i

/** Default values of the sampling settings. Undefined if the default depends on the model. */
const SAMPLING = { temperature: 1, topP: 1, topK: undefined, presencePenalty: 0, frequencyPenalty: 0 } as const
const DEFAULTS: Settings = SAMPLING

type Asked = Pick<LMRequest, 'settings' | 'providerOptions'>

/** Returns the settings that the model accepts. Reports a loss for each removed setting with a value other than the model's default. */
export function settingsFor(model: string, asked: Asked, lose: Lose): Settings {
  const { settings = {} } = asked
  const refused = refusedSettings(model, settings, asked.providerOptions)
  if (refused.length === 0) return settings
  const kept = { ...settings }
  for (const { name, note } of refused) {
    delete kept[name]
    if (settings[name] !== DEFAULTS[name]) lose({ path: `/settings/${name}`, keyword: name, action: 'dropped', note })
  }
  return kept
}

interface RefusedSetting {
  readonly name: keyof Settings
  readonly note: string
}

function refusedSettings(model: string, settings: Settings, options: LMRequest['providerOptions']): readonly RefusedSetting[] {
  const refused: RefusedSetting[] = []
  const { temperature, topP, stop = [] } = settings
  const refusal = refusalOf(model, options)
  for (const name of Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]) {
    const value = settings[name]
    if (refusal !== undefined && value !== undefined && !refusal.takes?.(name, value)) refused.push({ name, note: refusal.note })
  }
  if (refusal === undefined && temperature !== undefined && topP !== undefined && ANTHROPIC_EITHER.test(model))
    refused.push({ name: temperature === SAMPLING.temperature ? 'temperature' : 'topP', note: EITHER })
  if (stop.length > 0 && WITHOUT_STOP.test(model)) refused.push({ name: 'stop', note: 'this model rejects stop sequences' })
  return refused
}

const EITHER = 'this model rejects topP together with temperature'

interface Refusal {
  readonly note: string
  /** Returns true for a value that the model accepts despite the rejection. */
  readonly takes?: (name: keyof typeof SAMPLING, value: number) => boolean
}

const ALWAYS: Refusal = { note: 'this model rejects sampling settings' }
const BY_EFFORT: Refusal = { note: 'this model rejects sampling settings together with a reasoning effort' }
const BY_THINKING: Refusal = {
  note: 'this model rejects this setting while thinking is enabled',
  takes: (name, value) => name === 'topP' && value >= LEAST_TOP_P,
}
/**
 * The lowest `topP` that Anthropic's models accept while thinking is enabled. Source:
 * platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
const LEAST_TOP_P = 0.95

function refusalOf(model: string, options: LMRequest['providerOptions']): Refusal | undefined {
  if (OPENAI.test(model) || ANTHROPIC.test(model)) return ALWAYS
  if (OPENAI_BY_EFFORT.test(model)) {
    const effort = stringAt(options, 'reasoning_effort') ?? stringAt(objectAt(options, 'reasoning'), 'effort')
    return effort === undefined || effort === 'none' ? undefined : BY_EFFORT
  }
  return /claude-/i.test(model) && isThinking(options) ? BY_THINKING : undefined
}

/** True if the options enable thinking for an Anthropic model, on Anthropic's API or on Bedrock. */
export function isThinking(options: LMRequest['providerOptions']): boolean {
  const thinking = objectAt(options, 'thinking') ?? objectAt(objectAt(options, 'additionalModelRequestFields'), 'thinking')
  const type = stringAt(thinking, 'type')
  return type === 'enabled' || type === 'adaptive'
}

/**
 * Output limits of Anthropic's models, in tokens. The first matching pattern applies. Source:
 * platform.claude.com/docs/en/about-claude/models/overview
 */
const OUTPUT_LIMITS: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/claude-(?:3-(?:opus|sonnet|haiku)|v?[12]|instant)/i, 4_096],
  [/claude-3[-.]5/i, 8_192],
  // Opus 4 and 4.1, with or without a date.
  [/claude-(?:4(?:[-.][01])?-opus|opus-4(?![-.]\d{1,2}(?!\d))|opus-4[-.][01](?!\d))/i, 32_000],
  [/claude-/i, 64_000],
]
/** The lowest output limit of any Anthropic model, in tokens. */
const LEAST = 4_096

/**
 * Returns the output limit for a request that sets none. Thinking counts toward the limit, so the limit must exceed the thinking budget.
 */
export function outputLimitOf(model: string, thinkingBudget: number): number {
  const [, limit = 0] = OUTPUT_LIMITS.find(([pattern]) => pattern.test(model)) ?? []
  return Math.max(limit, thinkingBudget + LEAST)
}
