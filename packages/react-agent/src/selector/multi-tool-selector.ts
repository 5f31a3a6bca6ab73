/** Which tools to call for a request, and with which arguments: one question to a model, and nothing run. */
import { defaultAdapter, type LMResponse, type Parsed } from '@x/adapters'
import { checkArgs, isToolError, type Tool, unknownTool } from '@x/tool-core'
import { assertInputs } from '../loop/inputs.ts'
import { askUntilRead, parseOutputs } from '../loop/outputs.ts'
import { MODEL_TIMEOUT_MS } from '../model/model-deadline.ts'
import { assertModuleOptions, type ModuleOptions, soleScope } from '../predict/module-options.ts'
import { assertCount, assertGiven, wrongOption } from '../predict/options.ts'
import type { PredictCallOptions } from '../predict/predict.ts'
import { type DraftCall, type DraftDecision, type MultiToolDecision, type RejectedCall, reject } from './decision.ts'
import { nativeMode, textMode } from './selection-mode.ts'
import { rememberToolLists, type ToolList } from './tool-list.ts'

/** Of `maxRepairs`: a reply that is not of the asked form is sent back; a call that is wrong is rejected, not asked for again. */
export interface MultiToolSelectorOptions extends ModuleOptions {
  /** For calls of `select` that bring no tools of their own. */
  tools?: readonly Tool[] | undefined
  /** By the function calling of the API, unless told; `text` asks for names and arguments as text, which any model can write. */
  mode?: 'native' | 'text' | undefined
  /** Whether the model says why before it selects; true unless told. */
  reasoning?: boolean | undefined
  /** The most calls of a decision: told to the model, and more are rejected. 100 unless told, and then the model hears of none. */
  maxTools?: number | undefined
}

/**
 * Resolves to a decision, whatever the model wrote about calls. Rejects with `AgentError` when there is no reply of the asked form,
 * and for a list that holds no tools. Of an empty list nothing is selected, and no model asked.
 */
export type MultiToolSelector = (
  request: string,
  tools?: readonly Tool[],
  options?: PredictCallOptions,
) => Promise<MultiToolDecision>

/** Asks a model which tools to call. Throws `invalid_options` for an option that is missing or wrong. */
export function multiToolSelector(options: MultiToolSelectorOptions): MultiToolSelector {
  assertGiven(OWNER, options)
  const { lm, mode = 'native', reasoning = true, maxTools, maxRepairs = 2 } = options
  const { adapter = defaultAdapter(), settings, strictTools, providerOptions, modelTimeoutMs = MODEL_TIMEOUT_MS } = options
  assertOptions(options)
  const { signature, options: asked, inputs, read } = MODES[mode]({ reasoning, maxTools })
  const model = { lm, adapter, request: { settings, strictTools, providerOptions } }
  const toList = rememberToolLists()
  return async (request, tools = options.tools, { signal } = {}) => {
    if (!Array.isArray(tools))
      throw wrongOption(
        OWNER,
        'tools',
        'a list of tools, given here or to select; of a registry: [...(await registry.resolve()).values()]',
      )
    const list = toList(tools)
    if (list.offered.length === 0) return NOTHING
    const given = inputs(request, list)
    await assertInputs('multiToolSelector', signature, given)
    const conversation = adapter.begin(signature, given)
    const readDraft = async (response: LMResponse): Promise<Parsed<DraftDecision>> =>
      read(await parseOutputs(model, signature, response, conversation), list)
    const asking = { conversation, options: asked, step: 1, maxRepairs }
    const { outputs } = await askUntilRead(model, asking, readDraft, soleScope(OWNER, signal, modelTimeoutMs))
    return decide(outputs, list, maxTools ?? MOST_CALLS)
  }
}

const OWNER = 'multiToolSelector'

/** A new mode is a function and a line. */
const MODES = { native: nativeMode, text: textMode }

const MOST_CALLS = 100

const NOTHING: MultiToolDecision = Object.freeze({
  reasoning: '',
  toolCalls: Object.freeze([]) as readonly [],
  rejected: Object.freeze([]) as readonly [],
  recovered: Object.freeze([]) as readonly [],
})

function assertOptions(options: MultiToolSelectorOptions): void {
  const { mode = 'native', maxTools = 1 } = options
  assertModuleOptions(OWNER, options)
  if (!Object.hasOwn(MODES, mode)) throw wrongOption(OWNER, 'mode', '"native" or "text"')
  assertCount(OWNER, 'maxTools', maxTools, 1)
}

async function decide({ reasoning, calls, rejected }: DraftDecision, list: ToolList, most: number): Promise<MultiToolDecision> {
  const checked = await Promise.all(calls.slice(0, most).map((call) => check(call, list)))
  const taken = checked.filter((result): result is DraftCall => !('code' in result))
  return {
    reasoning,
    toolCalls: taken.map(({ id, name, args }) => ({ id, name, args })),
    rejected: [
      ...rejected,
      ...checked.filter((result): result is RejectedCall => 'code' in result),
      ...calls.slice(most, most + 1).map(({ name, args }) => reject('too_many', name, tooMany(calls.length, most), toRaw(args))),
    ],
    recovered: taken.filter(({ tags }) => tags.length > 0).map(({ id, tags }) => ({ callId: id, tags })),
  }
}

async function check(call: DraftCall, { tools }: ToolList): Promise<DraftCall | RejectedCall> {
  const { name, args } = call
  const tool = tools.get(name)
  if (tool === undefined) return reject('unknown_tool', name, unknownTool(name, tools.keys()).message, toRaw(args))
  try {
    return { ...call, args: await checkArgs(tool, args) }
  } catch (error) {
    if (!isToolError(error) || error.code !== 'invalid_arguments') throw error
    return reject('invalid_arguments', name, error.message, toRaw(args))
  }
}

function toRaw(args: object): string {
  return JSON.stringify(args)
}

function tooMany(asked: number, most: number): string {
  return `${asked} calls were asked for; the first ${most} are taken.`
}
