/** Maps the reasoning setting of a request to what a model accepts. */
import type { LMRequest, ReasoningSetting } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import { isObject, numberAt, objectAt, stringAt } from '../read-json.ts'
import type { Assume, ReasoningFacts, ResolvedFacts } from './model-facts.ts'

/** How a wire format requests reasoning. */
export type ReasoningPlan =
  | { readonly kind: 'off' }
  | { readonly kind: 'on' }
  | { readonly kind: 'effort'; readonly effort: SentEffort }
  | { readonly kind: 'budget'; readonly tokens: number }

/** The levels of effort to which a reasoning setting can be mapped. */
export type SentEffort = 'minimal' | 'low' | 'medium' | 'high'
const SENT: readonly SentEffort[] = ['minimal', 'low', 'medium', 'high']

/** The budget for each level of effort, in tokens, for models that accept only a budget. */
const BUDGETS = { low: 2_048, medium: 8_192, high: 16_384 } as const

export interface ReasoningInput {
  readonly request: LMRequest
  readonly facts: ResolvedFacts
  readonly hasTools: boolean
  /** The output limit of the request or of the model, in tokens. A budget must be lower. */
  readonly limit: number | undefined
  readonly assume: Assume
  readonly lose: Lose
}

/**
 * Returns how to request reasoning. Undefined if nothing should be sent about it. Reasoning options in `providerOptions` override the
 * setting.
 */
export function planReasoning(input: ReasoningInput): ReasoningPlan | undefined {
  const { request, facts, hasTools, lose } = input
  if (statedReasoning(request.providerOptions) !== undefined) return undefined
  const wish = request.reasoning
  if (wish !== undefined) checkReasoning(wish)
  const known = facts.reasoning || undefined
  if (hasTools && facts.tools === 'without_reasoning' && known?.canBeOff) {
    if (wish === 'off') return { kind: 'off' }
    if (wish === undefined && !known.byDefault) return undefined
    lose({ path: '/reasoning', keyword: 'reasoning', action: 'refused', note: WITHOUT_TOOLS })
    return { kind: 'off' }
  }
  return wish === undefined ? undefined : map(wish, input)
}

const WITHOUT_TOOLS =
  'this model accepts tools on this API only while reasoning is off. Use another API of the provider, such as openaiResponses'

/** Throws `TypeError` for an invalid reasoning setting. */
export function checkReasoning(setting: unknown): asserts setting is ReasoningSetting {
  if (setting === 'off' || (typeof setting === 'string' && Object.hasOwn(BUDGETS, setting))) return
  const tokens = numberAt(setting, 'tokens')
  if (tokens !== undefined && Number.isInteger(tokens) && tokens > 0) return
  throw new TypeError(
    `reasoning must be 'off', 'low', 'medium', 'high' or { tokens } with a positive integer, got ${JSON.stringify(setting)}.`,
  )
}

function map(wish: ReasoningSetting, { facts, limit, assume, lose }: ReasoningInput): ReasoningPlan | undefined {
  const lost = (action: 'dropped' | 'replaced', note: string): void =>
    lose({ path: '/reasoning', keyword: 'reasoning', action, note })
  const { reasoning } = facts
  if (reasoning === undefined) {
    lost('dropped', "it isn't known how to request reasoning from this model. Set facts.reasoning.")
    return undefined
  }
  if (reasoning === false) {
    if (wish !== 'off') lost('dropped', 'this model does not support reasoning')
    return undefined
  }
  assume('reasoning')
  if (wish === 'off') return turnOff(reasoning, lost)
  const { form, budget } = reasoning
  const efforts = sentOf(reasoning)
  if (form === 'switch') {
    if (typeof wish === 'object') lost('replaced', 'this model can only turn reasoning on or off')
    return { kind: 'on' }
  }
  if (budget !== undefined && (typeof wish === 'object' || form === 'budget'))
    return withinBudget(typeof wish === 'object' ? wish.tokens : BUDGETS[wish], budget, limit, lost)
  const wanted = typeof wish === 'object' ? levelOf(wish.tokens) : wish
  const effort = nearest(wanted, efforts)
  if (effort === undefined) {
    lost('dropped', 'this model accepts neither a budget nor an effort up to high')
    return undefined
  }
  if (typeof wish === 'object') lost('replaced', `this model does not accept a budget, so the effort ${effort} is sent`)
  else if (effort !== wanted) lost('replaced', `this model doesn't accept the effort ${wanted}, so ${effort} is sent`)
  return { kind: 'effort', effort }
}

type Lost = (action: 'dropped' | 'replaced', note: string) => void

/** Turns reasoning off. Sends this only to models that reason by default. */
function turnOff(reasoning: ReasoningFacts, lost: Lost): ReasoningPlan | undefined {
  const { byDefault, canBeOff, budget, form } = reasoning
  if (canBeOff) return byDefault ? { kind: 'off' } : undefined
  const [lowest] = sentOf(reasoning)
  const [least] = budget ?? []
  const nearestToOff: ReasoningPlan =
    form === 'budget' && least !== undefined
      ? { kind: 'budget', tokens: least }
      : lowest === undefined
        ? { kind: 'on' }
        : { kind: 'effort', effort: lowest }
  const what =
    nearestToOff.kind === 'budget' ? `a budget of ${least}` : nearestToOff.kind === 'on' ? 'nothing' : `the effort ${lowest}`
  lost('replaced', `the reasoning of this model can't be turned off, so ${what} is sent`)
  return nearestToOff.kind === 'on' ? undefined : nearestToOff
}

/**
 * Adjusts a budget to the range that the model accepts. If the budget isn't lower than the output limit, uses at most half of that limit,
 * so that the other half is left for the answer.
 */
function withinBudget(
  tokens: number,
  [least, most]: readonly [number, number],
  limit: number | undefined,
  lost: Lost,
): ReasoningPlan | undefined {
  const top = limit === undefined || Math.min(tokens, most) < limit ? most : Math.min(most, Math.floor(limit / 2))
  if (top < least) {
    lost('dropped', `the output limit of ${limit} leaves less than the minimum budget of ${least}`)
    return undefined
  }
  const sent = Math.min(Math.max(tokens, least), top)
  if (sent !== tokens) lost('replaced', `a budget of ${sent} is sent, because the range is ${least} to ${top}`)
  return { kind: 'budget', tokens: sent }
}

function levelOf(tokens: number): keyof typeof BUDGETS {
  if (tokens < (BUDGETS.low + BUDGETS.medium) / 2) return 'low'
  return tokens < (BUDGETS.medium + BUDGETS.high) / 2 ? 'medium' : 'high'
}

function sentOf({ efforts = [] }: ReasoningFacts): readonly SentEffort[] {
  return SENT.filter((effort) => efforts.includes(effort))
}

/** Returns the accepted effort that is nearest to the requested one. If two are equally near, returns the lower one. */
function nearest(wanted: SentEffort, efforts: readonly SentEffort[]): SentEffort | undefined {
  const place = SENT.indexOf(wanted)
  let best: SentEffort | undefined
  let least = Number.POSITIVE_INFINITY
  for (const effort of efforts) {
    const distance = Math.abs(SENT.indexOf(effort) - place)
    if (distance >= least) continue
    best = effort
    least = distance
  }
  return best
}

/** Returns whether `providerOptions` turn reasoning on or off, in the format of any API. Undefined if they don't mention it. */
export function statedReasoning(options: LMRequest['providerOptions']): boolean | undefined {
  const effort = stringAt(options, 'reasoning_effort') ?? stringAt(objectAt(options, 'reasoning'), 'effort')
  if (effort !== undefined) return effort !== 'none'
  const more = objectAt(options, 'additionalModelRequestFields')
  const type = stringAt(objectAt(options, 'thinking') ?? objectAt(more, 'thinking') ?? objectAt(more, 'reasoningConfig'), 'type')
  if (type !== undefined) return type !== 'disabled'
  const gemini = objectAt(objectAt(options, 'generationConfig'), 'thinkingConfig')
  if (isObject(gemini)) return gemini.thinkingBudget !== 0
  const think = options?.think ?? options?.enable_thinking
  return think === undefined ? undefined : think !== false
}

/** Returns the reasoning budget in `providerOptions` for Anthropic, in tokens. */
export function statedBudget(options: LMRequest['providerOptions']): number {
  return numberAt(objectAt(options, 'thinking'), 'budget_tokens') ?? 0
}
