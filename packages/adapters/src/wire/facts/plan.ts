/** Applies the facts about a model to a request: what is sent, what is left out, and what is reported as a loss. */
import { AdapterError } from '../../adapter-error.ts'
import type { LMRequest, Settings, ToolChoice } from '../../protocol/protocol.ts'
import type { Lose } from '../convert-once.ts'
import type { Assume, ModelFacts, ResolvedFacts } from './model-facts.ts'
import { offersTools } from './plan-input.ts'
import { planReasoning, type ReasoningPlan, statedBudget, statedReasoning } from './plan-reasoning.ts'
import { acceptedSettings, outputLimit } from './plan-settings.ts'

export interface PlanInput {
  readonly request: LMRequest
  readonly model: string
  readonly wire: string
  readonly facts: ResolvedFacts
  /** Facts from the caller. They are never reported as assumed. */
  readonly own: ModelFacts
  /** The output limit for unknown models of an API that requires one, in tokens. */
  readonly requiredLimit: number | undefined
  readonly lose: Lose
}

export interface Plan {
  /** The settings that the model accepts, with the output limit to send. */
  readonly settings: Settings
  /** How to request reasoning. If undefined, nothing is sent about it. */
  readonly reasoning: ReasoningPlan | undefined
  readonly toolChoice: ToolChoice | undefined
  readonly parallelToolCalls: boolean | undefined
}

/** Throws `AdapterError` if this API doesn't serve the model, or if the request has tools and the model accepts none. */
export function planRequest(input: PlanInput): Plan {
  const { request, facts, lose } = input
  const { settings = {}, providerOptions } = request
  const hasTools = offersTools(request)
  assertServed(input, hasTools)
  const assume = createAssume(input)
  const limit = Math.min(settings.maxOutputTokens ?? Number.POSITIVE_INFINITY, facts.maxOutputTokens ?? Number.POSITIVE_INFINITY)
  const reasoning = planReasoning({ request, facts, hasTools, limit: Number.isFinite(limit) ? limit : undefined, assume, lose })
  const budget = reasoning?.kind === 'budget' ? reasoning.tokens : statedBudget(providerOptions)
  const isReasoning =
    statedReasoning(providerOptions) ??
    (reasoning === undefined ? request.reasoning !== 'off' && isOnByDefault(facts) : reasoning.kind !== 'off')
  const isHighEffort = reasoning?.kind === 'effort' && reasoning.effort === 'high'
  const accepted = acceptedSettings({ settings, facts, isReasoning, isHighEffort, assume, lose })
  const maxOutputTokens = outputLimit({ ...input, settings: accepted, budget, assume })
  return {
    settings: maxOutputTokens === accepted.maxOutputTokens ? accepted : { ...accepted, maxOutputTokens },
    reasoning,
    ...planCalls(request, facts, isReasoning, lose),
  }
}

function isOnByDefault({ reasoning }: ModelFacts): boolean {
  return reasoning !== undefined && reasoning !== false && reasoning.byDefault
}

function planCalls(
  { toolChoice, parallelToolCalls }: LMRequest,
  { forcedCalls, parallelSwitch }: ModelFacts,
  isReasoning: boolean,
  lose: Lose,
): Pick<Plan, 'toolChoice' | 'parallelToolCalls'> {
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
  const isRefused = isForced && (forcedCalls === false || (forcedCalls === 'without_reasoning' && isReasoning))
  if (isRefused) {
    const note =
      forcedCalls === false
        ? 'this model does not accept a forced call'
        : 'this model does not accept a forced call while it reasons'
    lose({ path: '/toolChoice', keyword: 'toolChoice', action: 'refused', note })
  }
  const isSwitchRefused = parallelToolCalls !== undefined && parallelSwitch === false
  if (isSwitchRefused && !parallelToolCalls)
    lose({ path: '/parallelToolCalls', keyword: 'parallelToolCalls', action: 'dropped', note: 'this model rejects this setting' })
  return { toolChoice: isRefused ? 'auto' : toolChoice, parallelToolCalls: isSwitchRefused ? undefined : parallelToolCalls }
}

/**
 * Throws if the provider doesn't serve this request. A name with a slash isn't checked: it belongs to a router, which may serve the model
 * through other APIs than its provider.
 */
function assertServed({ model, wire, facts: { wires, tools } }: PlanInput, hasTools: boolean): void {
  if (model.includes('/')) return
  const fix = 'If your host serves it, set `facts` in `createLM`'
  if (wires !== undefined && !wires.includes(wire)) {
    const names = wires.map((name) => `"${name}"`).join(' or ')
    const note = `The model "${model}" isn't served by the API of wire format "${wire}". Use ${names}. ${fix}: { wires: ['${wire}'] }.`
    throw new AdapterError('unsupported_by_model', note)
  }
  if (hasTools && tools === false)
    throw new AdapterError(
      'unsupported_by_model',
      `The model "${model}" doesn't accept tools. Use another model or a text adapter. ${fix}: { tools: true }.`,
    )
}

/** Creates a function that reports assumed facts, at most one per request. */
function createAssume({ model, facts: { source }, own, lose }: PlanInput): Assume {
  let isReported = source === 'table'
  return (fact) => {
    if (isReported || own[fact] !== undefined) return
    isReported = true
    const known = source === 'unknown' ? 'a default value is used' : "the facts of the provider's newest models are used"
    const note = `"${model}" isn't in the table of model facts, so ${known}. Set facts.${fact}.`
    lose({ path: '/model', keyword: fact, action: 'assumed', note })
  }
}
