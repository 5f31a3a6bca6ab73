/** One execution of a call: its progress told, its questions asked, and what it came to. */
import type { Usage } from '@x/adapters'
import {
  type CallOptions,
  dispatch,
  executePrepared,
  type PreparedCall,
  prepareCall,
  type ToolCall,
  ToolError,
  type ToolFailure,
  type ToolResult,
} from '@x/tool-core'
import type { DecidedCall } from './approval/decision.ts'
import type { Decided } from './approval/gate.ts'
import { editFault, toShown } from './approval/prepared.ts'
import { callOptions } from './call-options.ts'
import { isRepeatable, toUnknown } from './intent.ts'
import { isModelUsage } from './model-usage.ts'
import { MAY_BE_DONE, observe, observeError } from './observe.ts'
import type { CallOutcome } from './outcome.ts'
import { READ_RESULT } from './policies/large-results.ts'
import { sumOf } from './policies/spending.ts'
import type { CallScope } from './scope.ts'

/** Rejects with `aborted` when the caller gives up. */
export async function dispatchCall(call: ToolCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { tools, endingTools, signal, spending } = scope
  let usage: Usage | undefined
  const options = callOptions(call, scope, (update) => {
    if (!isModelUsage(update)) return
    usage = sumOf(usage ?? {}, update.usage)
    spending?.addOfCall(update.usage)
  })
  const result = gate === undefined ? await dispatch(tools, call, options) : await executeDecided(call, gate, options)
  if (signal?.aborted && !result.ok && result.error.code === 'aborted') throw result.error
  if (isGivenUp(result) && !isRepeatable(tools.get(call.name)?.effect)) {
    const { message, code } = result.error
    const observation = observeError(call.id, call.name, `${message} ${MAY_BE_DONE}`, code)
    return { observation, unknown: toUnknown(call, options.idempotencyKey), usage }
  }
  const outcome = toOutcome(result, scope, endingTools.has(call.name))
  return usage === undefined ? outcome : { ...outcome, usage }
}

/** Exactly what was shown, or what it was edited to. */
async function executeDecided(
  call: ToolCall,
  { tool, prepared, call: decided }: Decided,
  options: CallOptions,
): Promise<ToolResult> {
  const ready = prepared ?? (await prepareCall(tool, call, options))
  if (!ready.ok) return ready
  const fault = prepared === undefined ? await faultOf(ready, decided) : undefined
  if (fault === undefined) return executePrepared(ready, options)
  return { ok: false, call, error: new ToolError('approval_required', `"${tool.name}" was not run: ${fault}`) }
}

async function faultOf(ready: PreparedCall, { decision, digest }: DecidedCall): Promise<string | undefined> {
  if (decision.type === 'edit') return editFault(ready)
  return (await toShown(ready)).digest === digest ? undefined : 'its arguments are no longer those that were approved.'
}

/** A tool that was given up on may go on; one may say so itself, when what it called was. */
function isGivenUp(result: ToolResult): result is ToolFailure {
  return !result.ok && (result.error.code === 'timeout' || result.error.code === 'aborted')
}

export function toOutcome(result: ToolResult, { results }: CallScope, isEnding: boolean): CallOutcome {
  const observation = observe(result)
  if (isEnding) return result.ok ? { observation, output: result.output } : { observation }
  // What reads on in a long result is as long as may be.
  if (observation.name === READ_RESULT) return { observation }
  const { text, whole } = results.cut(observation.callId, observation.text)
  return whole === undefined ? { observation } : { observation: { ...observation, text }, whole }
}
