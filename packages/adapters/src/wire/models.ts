/**
 * What single models of OpenAI and Anthropic take, told by their names on any host: `gpt-5`, `openai/gpt-5`, `us.anthropic.claude-opus-4-7-v1:0`.
 * A name that is unknown counts as a model that takes every setting, and the shortest replies.
 */
import type { Settings } from '../protocol/protocol.ts'
import type { Lose } from './by-message.ts'

/** o1 and later, gpt-5, gpt-5.5 and later. gpt-5.1 to 5.4 take sampling settings where no effort is asked for, and chat variants always. */
const OPENAI = /(?:^|[/.]|^[\w-]+:)(?:o\d|gpt-(?:5(?!\d|\.[1-4](?!\d))|[6-9]|1\d))(?![^:]*-chat)/i
/** Opus 4.7, and every family from version 5 on; the version may also come before the family. */
const ANTHROPIC =
  /claude-(?:opus-4[-.](?:[7-9]|\d\d)(?!\d)|4[-.](?:[7-9]|\d\d)-opus|[a-z]+-(?:[5-9]|\d\d)(?!\d)|(?:[5-9]|\d\d)(?:[-.]\d)?-[a-z])/i

/** What each of them is where nothing is said; undefined where that differs. */
const SAMPLING = { temperature: 1, topP: 1, topK: undefined, presencePenalty: 0, frequencyPenalty: 0 } as const

/** The settings that the model takes. A loss tells of each that says something else than the model's default. */
export function settingsFor(model: string, settings: Settings, lose: Lose): Settings {
  if (!OPENAI.test(model) && !ANTHROPIC.test(model)) return settings
  const kept = { ...settings }
  for (const name of Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]) {
    if (settings[name] === undefined) continue
    delete kept[name]
    if (settings[name] !== SAMPLING[name])
      lose({ path: `/settings/${name}`, keyword: name, action: 'dropped', note: 'this model refuses sampling settings' })
  }
  return kept
}

/** The most tokens that models of Anthropic write; the first that fits. Source: platform.claude.com/docs/en/about-claude/models/overview */
const OUTPUT_LIMITS: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/claude-(?:3-(?:opus|sonnet|haiku)|v?[12]|instant)/i, 4_096],
  [/claude-3[-.]5/i, 8_192],
  // Opus 4 and 4.1, also with a date.
  [/claude-(?:4(?:[-.][01])?-opus|opus-4(?![-.]\d{1,2}(?!\d))|opus-4[-.][01](?!\d))/i, 32_000],
  [/claude-/i, 64_000],
]
/** Every model of Anthropic takes it. */
const LEAST = 4_096

/** What a reply may have where the request says nothing. A model thinks within it, so that there must be room for both. */
export function outputLimitOf(model: string, thinkingBudget: number): number {
  const [, limit = 0] = OUTPUT_LIMITS.find(([pattern]) => pattern.test(model)) ?? []
  return Math.max(limit, thinkingBudget + LEAST)
}
