/**
 * Features of certain OpenAI and Anthropic models, by their names on any host: `gpt-5`, `openai/gpt-5`,
 * `us.anthropic.claude-opus-4-7-v1:0`. An unknown model is assumed to accept every setting, and to have the shortest output limit.
 */
import type { LMRequest, Settings } from '../protocol/protocol.ts'
import type { Lose } from './convert-once.ts'
import { objectAt, stringAt } from './read-json.ts'

/** o1 and later, gpt-5, gpt-5.5 and later; not their chat variants. */
const OPENAI = /(?:^|[/.]|^[\w-]+:)(?:o\d|gpt-(?:5(?!\d|\.[1-4](?!\d))|[6-9]|1\d))(?![^:]*-chat)/i
/** Models that accept sampling settings unless an effort is set. */
const OPENAI_BY_EFFORT = /(?:^|[/.]|^[\w-]+:)gpt-5\.[1-4](?!\d)(?![^:]*-chat)/i
/** Opus 4.7, and every family from version 5 on. The version may also come before the family. */
const ANTHROPIC =
  /claude-(?:opus-4[-.](?:[7-9]|\d\d)(?!\d)|4[-.](?:[7-9]|\d\d)-opus|[a-z]+-(?:[5-9]|\d\d)(?!\d)|(?:[5-9]|\d\d)(?:[-.]\d)?-[a-z])/i

/** Opus 4.1, and every family from 4.5 on: they accept either a temperature or `topP`. */
const ANTHROPIC_EITHER = /claude-(?:[a-z]+-4[-.](?:[1-9]|\d\d)(?!\d)|4[-.](?:[1-9]|\d\d)-[a-z])/i
/** gpt-5, o3 and o4-mini. Source: the description of `stop` in OpenAI's API; its error for gpt-5. */
const WITHOUT_STOP = /(?:^|[/.]|^[\w-]+:)(?:o3(?!-mini)|o4|gpt-5(?![\d.]))(?![^:]*-chat)/i

/** Defaults of the settings; undefined if they differ between models. */
const SAMPLING = { temperature: 1, topP: 1, topK: undefined, presencePenalty: 0, frequencyPenalty: 0 } as const
const DEFAULTS: Settings = SAMPLING

type Asked = Pick<LMRequest, 'settings' | 'providerOptions'>

/** The settings that the model accepts. Reports a loss for each removed setting that differs from the model's default. */
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
  /** Settings that are accepted nevertheless. */
  readonly takes?: (name: keyof typeof SAMPLING, value: number) => boolean
}

const ALWAYS: Refusal = { note: 'this model rejects sampling settings' }
const BY_EFFORT: Refusal = { note: 'this model rejects sampling settings together with a reasoning effort' }
const BY_THINKING: Refusal = {
  note: 'this model rejects it while thinking is enabled',
  takes: (name, value) => name === 'topP' && value >= LEAST_TOP_P,
}
/** Source: platform.claude.com/docs/en/build-with-claude/extended-thinking */
const LEAST_TOP_P = 0.95

function refusalOf(model: string, options: LMRequest['providerOptions']): Refusal | undefined {
  if (OPENAI.test(model) || ANTHROPIC.test(model)) return ALWAYS
  if (OPENAI_BY_EFFORT.test(model)) {
    const effort = stringAt(options, 'reasoning_effort') ?? stringAt(objectAt(options, 'reasoning'), 'effort')
    return effort === undefined || effort === 'none' ? undefined : BY_EFFORT
  }
  return /claude-/i.test(model) && isThinking(options) ? BY_THINKING : undefined
}

/** True if an Anthropic model is asked to think, in its own API or in Bedrock's. */
export function isThinking(options: LMRequest['providerOptions']): boolean {
  const thinking = objectAt(options, 'thinking') ?? objectAt(objectAt(options, 'additionalModelRequestFields'), 'thinking')
  const type = stringAt(thinking, 'type')
  return type === 'enabled' || type === 'adaptive'
}

/** Output limits of Anthropic's models; the first match wins. Source: platform.claude.com/docs/en/about-claude/models/overview */
const OUTPUT_LIMITS: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/claude-(?:3-(?:opus|sonnet|haiku)|v?[12]|instant)/i, 4_096],
  [/claude-3[-.]5/i, 8_192],
  // Opus 4 and 4.1, also with a date.
  [/claude-(?:4(?:[-.][01])?-opus|opus-4(?![-.]\d{1,2}(?!\d))|opus-4[-.][01](?!\d))/i, 32_000],
  [/claude-/i, 64_000],
]
/** Every Anthropic model accepts it. */
const LEAST = 4_096

/** Output limit if the request sets none. Thinking counts toward it, so it must leave room for both. */
export function outputLimitOf(model: string, thinkingBudget: number): number {
  const [, limit = 0] = OUTPUT_LIMITS.find(([pattern]) => pattern.test(model)) ?? []
  return Math.max(limit, thinkingBudget + LEAST)
}
