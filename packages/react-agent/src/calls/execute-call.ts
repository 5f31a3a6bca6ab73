/** Executes one call as a step of the run, applies the decision about it, and creates its observation. */
import type { Usage } from '@x/adapters'
import {
  type CallOptions,
  callTool,
  executePrepared,
  isRepeatable,
  type PreparedCall,
  prepareCall,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolErrorCode,
  type ToolFailure,
  type ToolResult,
  unknownTool,
  validate,
} from '@x/tool-core'
import type { DecidedCall, Decision } from '../approval/decision.ts'
import type { Decided } from '../approval/gate.ts'
import { editFault, toShown } from '../approval/prepared.ts'
import type { CallErrorCode, CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall } from '../loop/turn.ts'
import { isModelUsage, sumOf } from '../model/spending.ts'
import { executeNested, type NestedCalls } from '../nested/execute-nested.ts'
import { isWaiting, type WaitingCall } from '../nested/waiting.ts'
import {
  aborted,
  changedSinceApproval,
  editedTo,
  invalidClientResult,
  MAY_BE_DONE,
  READ_RESULT,
  rejected,
  toErrorObservation,
  toObservation,
  UNKNOWN_OUTCOME,
} from '../prompts.ts'
import { directSteps } from '../steps/steps.ts'
import { idempotencyKeyOf } from './call-ids.ts'
import { callOptions } from './call-options.ts'

/** Thrown when `steps` rejects after execution of the call has started. `cause` is what it rejected with. */
export class Unrecorded {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/**
 * Rejects with the error of `steps`, or with `Unrecorded`. An aborted call has no result and is not recorded. A call whose tool makes calls may
 * wait for decisions about them.
 */
export async function executeCall(
  turnCall: ReadCall,
  scope: CallScope,
  gate: Decided | undefined,
): Promise<CallOutcome | WaitingCall> {
  const { call, tool } = turnCall
  const { steps, emit, step, signal, unknownCalls, spending, isProgram } = scope
  const decision = gate?.call.decision
  if (decision?.type === 'reject') {
    const { reason } = decision
    return { ...failed(call, rejected(reason), 'rejected'), isRejected: true, ...(isProgram && { error: { reason } }) }
  }
  if (decision?.type === 'result') return takeResult(turnCall, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  emit({ type: 'call_started', step, call: executed })
  if (tool?.nested !== undefined) {
    const ended = await executeNested(turnCall, tool, scope, callsInside({ ...turnCall, call: executed }, scope, gate))
    return isWaiting(ended) || decision?.type !== 'edit' ? ended : withEdit(ended, decision, scope)
  }
  let isStarted = false
  let outcome: CallOutcome
  try {
    // Unknown tools and read-only tools have no effect that a crash could leave in doubt.
    const isRecorded = steps !== directSteps && tool !== undefined && tool.effect !== 'read'
    const isOurs = isRecorded ? await recordIntent(turnCall, tool, scope) : true
    outcome = await steps.run(`call-${call.id}`, async () => {
      if (!isOurs) return { ...failed(call, UNKNOWN_OUTCOME, 'unknown_outcome'), unknown: toUnknown(executed, scope) }
      isStarted = true
      return await execute({ ...turnCall, call: executed }, scope, gate)
    })
  } catch (cause) {
    // The call may have taken effect, but there is no record of it.
    if (isStarted && tool !== undefined && tool.effect !== 'read') unknownCalls.push(toUnknown(executed, scope))
    if (signal?.aborted) return failed(call, aborted(call.name), 'aborted')
    throw isStarted ? new Unrecorded(cause) : cause
  }
  // Usage of a call that was executed just now has already been added.
  if (outcome.usage !== undefined && !isStarted) spending.addOfCall(outcome.usage)
  if (outcome.unknown !== undefined) unknownCalls.push(outcome.unknown)
  return decision?.type === 'edit' ? withEdit(outcome, decision, scope) : outcome
}

/** What the execution of a tool that makes calls needs of this file. */
function callsInside(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): NestedCalls {
  return {
    run: (watched, options) => resultOf(turnCall, options, scope, gate, watched),
    toOutcome: (result) => toOutcome(result, scope, turnCall.isEnding),
    async execute({ id, name, args, tool: called, gate: decided, token, hasEnded }, inside) {
      if (decided?.type === 'invalid') return inside.steps.run(`call-${id}`, async () => decided.outcome)
      const raw = { id, name, arguments: '' }
      const inner: ReadCall = { raw, call: { id, name, args }, tool: called, isEnding: false, token, hasEnded }
      return executeCall(inner, inside, decided?.type === 'decided' ? decided : undefined)
    },
  }
}

/**
 * Records the intent to execute a call, so that it isn't repeated by mistake after a crash. Returns false when an earlier process recorded
 * the intent but no result. Then only a call of an `idempotent` tool is executed again, with the same key.
 */
async function recordIntent({ call, token: begun }: ReadCall, tool: Tool, { steps, token }: CallScope): Promise<boolean> {
  const owner = begun ?? (await steps.run(`intent-${call.id}`, async () => token))
  return owner === token || isRepeatable(tool.effect)
}

/** Rejects with `aborted` when the caller aborts. */
async function execute(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { call, tool, isEnding } = turnCall
  const { signal, spending } = scope
  let usage: Usage | undefined
  const options = callOptions(call, scope, (update) => {
    if (!isModelUsage(update)) return
    usage = sumOf(usage ?? {}, update.usage)
    spending.addOfCall(update.usage)
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

/** An approved call is executed with exactly the arguments that were shown, or with those of the edit. */
async function resultOf(
  { call, tool }: ReadCall,
  options: CallOptions,
  scope: CallScope,
  gate: Decided | undefined,
  executed = tool,
): Promise<ToolResult> {
  if (tool === undefined || executed === undefined) return { ok: false, call, error: unknownTool(call.name, scope.tools.keys()) }
  if (gate === undefined) return callTool(executed, call, options)
  const prepared = gate.prepared ?? (await prepareCall(tool, call, options))
  if (!prepared.ok) return prepared
  const fault = gate.prepared === undefined ? await faultOf(prepared, gate.call, options) : undefined
  if (fault === undefined) return executePrepared({ ...prepared, tool: executed }, options)
  return { ok: false, call, error: new ToolError('approval_required', fault) }
}

async function faultOf(
  prepared: PreparedCall,
  { decision, digest }: DecidedCall,
  options: CallOptions,
): Promise<string | undefined> {
  const { name } = prepared.tool
  if (decision.type === 'edit') {
    const fault = await editFault(prepared, options)
    return fault && `"${name}" was not run. ${fault}`
  }
  return (await toShown(prepared)).digest === digest ? undefined : changedSinceApproval(name)
}

/** True after a timeout or an abort: the tool may still be running. A tool may also return these codes itself, for something it called. */
function isGivenUp(result: ToolResult): result is ToolFailure {
  return !result.ok && (result.error.code === 'timeout' || result.error.code === 'aborted')
}

/** Validates the result of a client tool like the output of any tool. */
async function takeResult({ call, tool, isEnding }: ReadCall, output: unknown, scope: CallScope): Promise<CallOutcome> {
  const issues = tool?.output === undefined ? [] : await validate(tool.output, output)
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return failed(call, invalidClientResult(call.name, words), 'invalid_output')
  }
  return toOutcome({ ok: true, call, output: output ?? null, tags: [], outputTags: [] }, scope, isEnding)
}

function toOutcome(result: ToolResult, { results, isProgram }: CallScope, isEnding: boolean): CallOutcome {
  if (isProgram) return toProgramOutcome(result)
  const observation = toObservation(result)
  if (isEnding) return result.ok ? { observation, output: result.output } : { observation }
  // A page of a long result already has the maximum length.
  if (observation.name === READ_RESULT) return { observation }
  const { text, whole } = results.cut(observation.callId, observation.text)
  return whole === undefined ? { observation } : { observation: { ...observation, text }, whole }
}

/** The outcome for a program, which gets the output itself. */
function toProgramOutcome(result: ToolResult): CallOutcome {
  const { id: callId, name } = result.call
  if (result.ok) return { observation: { callId, name, ok: true, text: '' }, output: result.output }
  const { issues, reason } = result.error
  return { observation: toObservation(result), error: { issues, reason } }
}

/** Adds the edited arguments to the observation, unless the call wasn't made. A program has only its output. */
function withEdit(
  outcome: CallOutcome,
  { args }: Extract<Decision, { type: 'edit' }>,
  { isProgram }: Pick<CallScope, 'isProgram'>,
): CallOutcome {
  const { ok, code, text } = outcome.observation
  if (isProgram) return outcome
  if (code === 'invalid_arguments' || code === 'approval_required') return outcome
  const words = editedTo(args)
  return { ...outcome, observation: { ...outcome.observation, text: ok ? `${words}\n${text}` : `${text}\n${words}` } }
}

function failed({ id, name }: ToolCall, message: string, code: CallErrorCode | ToolErrorCode): CallOutcome {
  return { observation: toErrorObservation(id, name, message, code) }
}

function toUnknown({ id, name, args }: ToolCall, scope: CallScope): UnknownCall {
  return { code: 'unknown_outcome', callId: id, name, args, idempotencyKey: idempotencyKeyOf(scope.id, id) }
}
