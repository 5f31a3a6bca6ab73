/** Asks the model which tools to call, and checks its choice. */
import type { LMResponse, Parsed } from '@x/adapters'
import { checkArgs, isToolError, unknownTool } from '@x/tool-core'
import { assertInputs } from '../loop/inputs.ts'
import { askUntilRead, parseOutputs } from '../loop/outputs.ts'
import type { ModuleSettings, PredictCallOptions } from '../predict/module-options.ts'
import { moduleScope } from '../predict/module-scope.ts'
import { tooManySelected } from '../prompts.ts'
import { orAborted } from '../until-aborted.ts'
import { type DraftCall, type DraftDecision, type MultiToolDecision, type RejectedCall, reject } from './decision.ts'
import { nativeMode, type SelectionForm, textMode } from './selection-mode.ts'
import { rememberToolLists, resolveTools, type SelectorTools, type ToolList } from './tool-list.ts'

/**
 * Resolves to a decision, even if calls are invalid. Without tools it selects nothing and doesn't call the model. A registry is read each
 * time. Rejects with `AgentError` if the reply has the wrong format, or if the list contains anything other than tools, and with
 * `ToolResolutionError` if a tool can't be loaded.
 */
export type MultiToolSelector = (
  request: string,
  tools?: SelectorTools,
  options?: PredictCallOptions,
) => Promise<MultiToolDecision>

export function createSelector(
  { model, modelTimeoutMs, maxRepairs }: ModuleSettings,
  { mode, ...form }: SelectionForm & { readonly mode: keyof typeof MODES },
): MultiToolSelector {
  const { signature, options: asked, inputs, read } = MODES[mode](form)
  const toList = rememberToolLists()
  return async (request, tools, { signal } = {}) => {
    const scope = moduleScope(signal, modelTimeoutMs)
    const list = toList(await orAborted(resolveTools(tools), signal))
    if (list.offered.length === 0) return NOTHING
    const given = inputs(request, list)
    await assertInputs(OWNER, signature, given, signal)
    const conversation = model.adapter.begin(signature, given)
    const readDraft = async (response: LMResponse): Promise<Parsed<DraftDecision>> =>
      read(await parseOutputs(model, signature, response, conversation, signal), list)
    const asking = { conversation, options: asked, step: 1, maxRepairs }
    const { outputs } = await askUntilRead(model, asking, readDraft, scope)
    return decide(outputs, list, form.maxTools ?? MOST_CALLS)
  }
}

const OWNER = 'multiToolSelector'

const MODES = { native: nativeMode, text: textMode }

const MOST_CALLS = 100

const NOTHING: MultiToolDecision = Object.freeze({
  reasoning: '',
  toolCalls: Object.freeze([]) as readonly [],
  rejected: Object.freeze([]) as readonly [],
  recovered: Object.freeze([]) as readonly [],
})

async function decide({ reasoning, calls, rejected }: DraftDecision, list: ToolList, most: number): Promise<MultiToolDecision> {
  const checked = await Promise.all(calls.slice(0, most).map((call) => check(call, list)))
  const taken = checked.filter((result): result is DraftCall => !('code' in result))
  return {
    reasoning,
    toolCalls: taken.map(({ id, name, args }) => ({ id, name, args })),
    rejected: [
      ...rejected,
      ...checked.filter((result): result is RejectedCall => 'code' in result),
      ...calls
        .slice(most, most + 1)
        .map(({ name, args }) => reject('too_many', name, tooManySelected(calls.length, most), JSON.stringify(args))),
    ],
    recovered: taken.filter(({ tags }) => tags.length > 0).map(({ id, tags }) => ({ callId: id, tags })),
  }
}

async function check(call: DraftCall, { tools }: ToolList): Promise<DraftCall | RejectedCall> {
  const { name, args } = call
  const tool = tools.get(name)
  if (tool === undefined) return reject('unknown_tool', name, unknownTool(name, tools.keys()).message, JSON.stringify(args))
  try {
    return { ...call, args: await checkArgs(tool, args) }
  } catch (error) {
    if (!isToolError(error) || error.code !== 'invalid_arguments') throw error
    return reject('invalid_arguments', name, error.message, JSON.stringify(args))
  }
}
