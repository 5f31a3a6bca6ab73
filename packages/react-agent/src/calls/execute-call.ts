/** One call that may run: as it was decided, as a step of the run, and what the model reads of it. */
import type { Usage } from '@x/adapters'
import {
  type CallOptions,
  callTool,
  type Effect,
  executePrepared,
  type PreparedCall,
  prepareCall,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolFailure,
  type ToolResult,
  unknownTool,
  validate,
} from '@x/tool-core'
import type { DecidedCall, Decision } from '../approval/decision.ts'
import type { Decided } from '../approval/gate.ts'
import { editFault, toShown } from '../approval/prepared.ts'
import type { CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall } from '../loop/turn.ts'
import { isModelUsage, sumOf } from '../model/spending.ts'
import { editedTo, MAY_BE_DONE, rejected, toErrorObservation, toObservation, UNKNOWN_OUTCOME } from '../prompts.ts'
import { directSteps } from '../steps/steps.ts'
import { callOptions } from './call-options.ts'
import { READ_RESULT } from './large-results.ts'

/** What `steps` rejected with when a call had been executed already. */
export class Unrecorded {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** Rejects with what `steps` rejects with, or with `Unrecorded`. A call that was aborted has no result, and isn't recorded as one. */
export async function executeCall(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { call, tool } = turnCall
  const { steps, emit, step, signal, unknownCalls, spending } = scope
  const decision = gate?.call.decision
  if (decision?.type === 'reject') return { ...failed(call, rejected(decision.reason), 'rejected'), isRejected: true }
  if (decision?.type === 'result') return takeResult(turnCall, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  emit({ type: 'call_started', step, call: executed })
  let isStarted = false
  let outcome: CallOutcome
  try {
    // A tool that isn't there changes nothing, nor does one that only reads.
    const isRecorded = steps !== directSteps && tool !== undefined && tool.effect !== 'read'
    const isOurs = isRecorded ? await recordIntent(call, tool, scope) : true
    outcome = await steps.run(`call-${call.id}`, async () => {
      if (!isOurs) return { ...failed(call, UNKNOWN_OUTCOME, 'unknown_outcome'), unknown: toUnknown(executed, scope) }
      isStarted = true
      return await execute({ ...turnCall, call: executed }, scope, gate)
    })
  } catch (cause) {
    // It may have been carried out, and no record of it is kept.
    if (isStarted && tool !== undefined && tool.effect !== 'read') unknownCalls.push(toUnknown(executed, scope))
    if (signal?.aborted) return failed(call, `"${call.name}" was aborted by the caller.`, 'aborted')
    throw isStarted ? new Unrecorded(cause) : cause
  }
  // What was used now is counted already.
  if (outcome.usage !== undefined && !isStarted) spending?.addOfCall(outcome.usage)
  if (outcome.unknown !== undefined) unknownCalls.push(outcome.unknown)
  return decision?.type === 'edit' ? withEdit(outcome, decision) : outcome
}

/**
 * Records that this start of the run is about to execute a call, so that after a crash it isn't repeated by mistake. False where an earlier
 * process recorded it and there is no result: the call is executed again only if its tool is `idempotent`, with the same key.
 */
async function recordIntent(call: ToolCall, tool: Tool, { steps, token }: CallScope): Promise<boolean> {
  const owner = await steps.run(`intent-${call.id}`, async () => token)
  return owner === token || isRepeatable(tool.effect)
}

/** Rejects with `aborted` when the caller gives up. */
async function execute(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { call, tool, isEnding } = turnCall
  const { signal, spending } = scope
  let usage: Usage | undefined
  const options = callOptions(call, scope, (update) => {
    if (!isModelUsage(update)) return
    usage = sumOf(usage ?? {}, update.usage)
    spending?.addOfCall(update.usage)
  })
  const result = await resultOf(turnCall, options, scope, gate)
  if (signal?.aborted && !result.ok && result.error.code === 'aborted') throw result.error
  if (isGivenUp(result) && !isRepeatable(tool?.effect)) {
    const { message, code } = result.error
    return { ...failed(call, `${message} ${MAY_BE_DONE}`, code), unknown: toUnknown(call, scope), usage }
  }
  const outcome = toOutcome(result, scope, isEnding)
  return usage === undefined ? outcome : { ...outcome, usage }
}

/** Of a call that was approved, exactly what was shown is executed, or what it was edited to. */
async function resultOf(
  { call, tool }: ReadCall,
  options: CallOptions,
  scope: CallScope,
  gate: Decided | undefined,
): Promise<ToolResult> {
  if (tool === undefined) return { ok: false, call, error: unknownTool(call.name, scope.tools.keys()) }
  if (gate === undefined) return callTool(tool, call, options)
  const prepared = gate.prepared ?? (await prepareCall(tool, call, options))
  if (!prepared.ok) return prepared
  const fault = gate.prepared === undefined ? await faultOf(prepared, gate.call, options) : undefined
  if (fault === undefined) return executePrepared(prepared, options)
  return { ok: false, call, error: new ToolError('approval_required', `"${tool.name}" was not run: ${fault}`) }
}

async function faultOf(
  prepared: PreparedCall,
  { decision, digest }: DecidedCall,
  options: CallOptions,
): Promise<string | undefined> {
  if (decision.type === 'edit') return editFault(prepared, options)
  return (await toShown(prepared)).digest === digest ? undefined : 'its arguments are no longer those that were approved.'
}

/** A tool that was given up on may go on; it may report that itself, when what it called was given up on. */
function isGivenUp(result: ToolResult): result is ToolFailure {
  return !result.ok && (result.error.code === 'timeout' || result.error.code === 'aborted')
}

/** The result of a client tool is checked like the output of any tool. */
async function takeResult({ call, tool, isEnding }: ReadCall, output: unknown, scope: CallScope): Promise<CallOutcome> {
  const issues = tool?.output === undefined ? [] : await validate(tool.output, output)
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return failed(call, `The result that the client gave for "${call.name}" does not fit: ${words}.`, 'invalid_output')
  }
  return toOutcome({ ok: true, call, output: output ?? null, tags: [], outputTags: [] }, scope, isEnding)
}

function toOutcome(result: ToolResult, { results }: CallScope, isEnding: boolean): CallOutcome {
  const observation = toObservation(result)
  if (isEnding) return result.ok ? { observation, output: result.output } : { observation }
  // What reads on in a long result is as long as may be.
  if (observation.name === READ_RESULT) return { observation }
  const { text, whole } = results.cut(observation.callId, observation.text)
  return whole === undefined ? { observation } : { observation: { ...observation, text }, whole }
}

/** The model reads what its call was edited to, unless the call wasn't made. */
function withEdit(outcome: CallOutcome, { args }: Extract<Decision, { type: 'edit' }>): CallOutcome {
  const { ok, code, text } = outcome.observation
  if (code === 'invalid_arguments' || code === 'approval_required') return outcome
  const words = editedTo(args)
  return { ...outcome, observation: { ...outcome.observation, text: ok ? `${words}\n${text}` : `${text}\n${words}` } }
}

function failed({ id, name }: ToolCall, message: string, code: string): CallOutcome {
  return { observation: toErrorObservation(id, name, message, code) }
}

/** A tool that doesn't declare its effect may have written. */
function isRepeatable(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent'
}

function toUnknown({ id, name, args }: ToolCall, scope: CallScope): UnknownCall {
  return { code: 'unknown_outcome', callId: id, name, args, idempotencyKey: `${scope.id}/${id}` }
}
