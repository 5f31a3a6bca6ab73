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
import type { DecidedCall } from '../approval/decision.ts'
import type { Decided } from '../approval/gate.ts'
import { editFault, executedArgs, toShown } from '../approval/prepared.ts'
import type { CallErrorCode, CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall } from '../loop/turn.ts'
import { isModelUsage, sumOf } from '../model/spending.ts'
import { executeNested, type NestedCalls } from '../nested/execute-nested.ts'
import type { WaitingCall } from '../nested/waiting.ts'
import {
  aborted,
  changedSinceApproval,
  invalidClientResult,
  MAY_BE_DONE,
  READ_RESULT,
  rejected,
  toErrorObservation,
  UNKNOWN_OUTCOME,
} from '../prompts.ts'
import { directSteps } from '../steps/steps.ts'
import { idempotencyKeyOf } from './call-ids.ts'
import { callOptions } from './call-options.ts'
import { toOutcome } from './finished-call.ts'

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
    return { ...failed(call, rejected(reason), 'rejected'), isRejected: true, ...(isProgram && { data: { reason } }) }
  }
  if (decision?.type === 'result') return takeResult(turnCall, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  emit({ type: 'call_started', step, call: executed })
  if (tool?.nested !== undefined)
    return executeNested(turnCall, tool, scope, callsInside({ ...turnCall, call: executed }, scope, gate))
  let isStarted = false
  let outcome: CallOutcome
  try {
    // Unknown tools and read-only tools have no effect that a crash could leave in doubt.
    const isRecorded = steps !== directSteps && tool !== undefined && tool.effect !== 'read'
    const run = async () => {
      const isOurs = isRecorded ? await recordIntent(turnCall, tool, scope) : true
      return await scope.media.run(`call-${call.id}`, async (): Promise<CallOutcome> => {
        if (!isOurs) return { ...failed(call, UNKNOWN_OUTCOME, 'unknown_outcome'), unknown: toUnknown(executed, scope) }
        isStarted = true
        return await execute({ ...turnCall, call: executed }, scope, gate)
      })
    }
    // An engine that is closed after the intent lets the call end, so that its outcome is known.
    const united = isRecorded ? steps.together?.([`intent-${call.id}`, `call-${call.id}`], run) : undefined
    outcome = await (united ?? run())
  } catch (cause) {
    // The call may have taken effect, but there is no record of it.
    if (isStarted && tool !== undefined && tool.effect !== 'read') unknownCalls.push(toUnknown(executed, scope))
    if (signal?.aborted) return failed(call, aborted(call.name), 'aborted')
    throw isStarted ? new Unrecorded(cause) : cause
  }
  // Usage of a call that was executed just now has already been added.
  if (outcome.usage !== undefined && !isStarted) spending.addOfCall(outcome.usage)
  if (outcome.unknown !== undefined) unknownCalls.push(outcome.unknown)
  return outcome
}

/** What the execution of a tool that makes calls needs from this file. */
function callsInside(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): NestedCalls {
  return {
    run: (watched, options) => resultOf(turnCall, options, scope, gate, watched),
    toOutcome: (result) => toPage(result, turnCall, scope, gate),
    async execute(inner, inside, decided) {
      const { id } = inner.call
      if (decided?.type === 'invalid') return inside.steps.run(`call-${id}`, async () => decided.outcome)
      return executeCall(inner, inside, decided?.type === 'decided' ? decided : undefined)
    },
  }
}

/**
 * Records the intent to execute a call, so that it isn't repeated by mistake after a crash. Returns false when an earlier process recorded
 * the intent but no result. Then only a call to an `idempotent` tool is executed again, with the same key.
 */
async function recordIntent({ call, token: begun }: ReadCall, tool: Tool, { steps, token }: CallScope): Promise<boolean> {
  const owner = begun ?? (await steps.run(`intent-${call.id}`, async () => token))
  return owner === token || isRepeatable(tool.effect)
}

/** Rejects with `aborted` when the caller aborts. */
async function execute(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined): Promise<CallOutcome> {
  const { call, tool } = turnCall
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
  const outcome = toPage(result, turnCall, scope, gate)
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
async function takeResult(turnCall: ReadCall, output: unknown, scope: CallScope): Promise<CallOutcome> {
  const { call, tool } = turnCall
  const issues = tool?.output === undefined ? [] : await validate(tool.output, output)
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return failed(call, invalidClientResult(call.name, words), 'invalid_output')
  }
  return toPage({ ok: true, call, output: output ?? null, tags: [], outputTags: [] }, turnCall, scope)
}

/** The outcome with the first page of a long result. A program reads the whole output, so for a program the text is the output itself. */
function toPage(result: ToolResult, { isEnding }: ReadCall, { results, isProgram }: CallScope, gate?: Decided): CallOutcome {
  // Arguments in the approval's record aren't recorded again.
  const isKnown = gate !== undefined && executedArgs(gate.call) !== undefined
  const recorded = result.ok && isKnown ? { ...result, args: undefined } : result
  const outcome = toOutcome(recorded.ok && isProgram ? { ...recorded, modelOutput: undefined } : recorded)
  const { observation } = outcome
  // A page of a long result already has the maximum length.
  if (isEnding || isProgram || observation.name === READ_RESULT) return outcome
  return { ...outcome, ...results.cut(observation) }
}

function failed({ id, name }: ToolCall, message: string, code: CallErrorCode | ToolErrorCode): CallOutcome {
  return { observation: toErrorObservation(id, name, message, code) }
}

function toUnknown({ id, name, args }: ToolCall, scope: CallScope): UnknownCall {
  return { code: 'unknown_outcome', callId: id, name, args, idempotencyKey: idempotencyKeyOf(scope.id, id) }
}
