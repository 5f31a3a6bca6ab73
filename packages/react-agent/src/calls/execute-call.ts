/** Executes one call as a step of the run, applies the decision about it, and creates its observation. */
import type { Usage } from '@x/adapters'
import {
  type CallOptions,
  callTool,
  executePrepared,
  isRepeatable,
  MAX_OUTPUT_LENGTH,
  type PreparedCall,
  prepareCall,
  type Tool,
  type ToolCall,
  ToolError,
  type ToolErrorCode,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
  unknownTool,
  validate,
} from '@x/tool-core'
import type { DecidedCall } from '../approval/decision.ts'
import { type Decided, neverShown } from '../approval/gate.ts'
import { changedEdit, executedArgs, toShown } from '../approval/prepared.ts'
import type { CallErrorCode, CallOutcome, UnknownCall } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import type { ReadCall } from '../loop/turn.ts'
import { isModelUsage, sumOf } from '../model/spending.ts'
import { executeNested, type NestedCalls } from '../nested/execute-nested.ts'
import type { WaitingCall } from '../nested/waiting.ts'
import {
  aborted,
  changedSinceApproval,
  editNotRun,
  invalidClientResult,
  MAY_BE_DONE,
  outputTooLong,
  READ_RESULT,
  rejected,
  STOPPED,
  toErrorObservation,
  UNKNOWN_OUTCOME,
} from '../prompts.ts'
import { directSteps } from '../steps/steps.ts'
import { idempotencyKeyOf } from './call-ids.ts'
import { callOptions, wasAborted } from './call-options.ts'
import { toOutcome } from './finished-call.ts'
import { assertNotGone } from './gone-tool.ts'
import { askAndExecute, hasQuestions, type RecordedQuestions, type Round, toRecordedQuestions } from './input-rounds.ts'
import { Unrecorded } from './unrecorded.ts'

/**
 * Executes a call. Rejects with the error of `steps`, or with `Unrecorded`. An aborted call isn't recorded. If the tool makes calls itself,
 * the call may wait for decisions about them.
 */
export async function executeCall(
  turnCall: ReadCall,
  scope: CallScope,
  gate: Decided | undefined,
): Promise<CallOutcome | WaitingCall> {
  const { call, tool } = turnCall
  const { emit, step, isProgram } = scope
  const decision = gate?.call.decision
  if (decision?.type === 'reject') {
    const { reason } = decision
    return { ...failed(call, rejected(reason), 'rejected'), isRejected: true, ...(isProgram && { data: { reason } }) }
  }
  if (decision?.type === 'result') return takeResult(turnCall, decision.output, scope)
  const executed = decision?.type === 'edit' ? { ...call, args: decision.args } : call
  const executedCall = executed === call ? turnCall : { ...turnCall, call: executed }
  let isStarted = false
  const onStart = () => {
    if (!isStarted) emit({ type: 'call_started', step, call: executed })
    isStarted = true
  }
  if (tool?.nested !== undefined) return executeNested(turnCall, tool, scope, callsInside(executedCall, scope, gate, onStart))
  const run = (round: Round = { scope, key: call.id }) => executeRound(executedCall, round, gate, onStart)
  // A call made by the model has its own records only if its tool asked a question in an earlier process.
  const ended = scope.outer === undefined && scope.hasRecords(call.id) ? undefined : await run()
  if (ended !== undefined && !hasQuestions(ended)) return ended
  // Only a call with a tool asks questions, or has records of them.
  return await askAndExecute(ended, executed, tool as Tool, scope, run)
}

/** Executes the tool once, as a step. */
async function executeRound(
  turnCall: ReadCall,
  round: Round,
  gate: Decided | undefined,
  onStart: () => void,
): Promise<CallOutcome | RecordedQuestions> {
  const { call, tool, isUnasked = false } = turnCall
  const { scope, key } = round
  const mayWrite = turnCall.mayWrite ?? scope.recorded?.writes?.includes(call.name)
  const { steps, signal, unknownCalls, spending } = scope
  let isStarted = false
  let ended: CallOutcome | RecordedQuestions
  try {
    // A call to an unknown or read-only tool has no side effects, so a crash leaves nothing in doubt. Its tool may have declared a write
    // in an earlier process.
    const isRecorded = steps !== directSteps && tool !== undefined && (mayWrite || tool.effect !== 'read')
    const run = () =>
      scope.media.run(`call-${key}`, async (): Promise<CallOutcome | RecordedQuestions> => {
        if (isUnasked) throw neverShown(call.id)
        assertNotGone(call, tool)
        if (gate?.assertUnchanged !== undefined) await gate.assertUnchanged(gate.call.decision)
        // Recorded inside the call's step, so that a call with a recorded outcome requests no intent, whatever its tool declares now.
        const isOurs = isRecorded ? await recordIntent(turnCall, round) : true
        if (!isOurs && (mayWrite || !isRepeatable(tool?.effect)))
          return { ...failed(call, UNKNOWN_OUTCOME, 'unknown_outcome'), unknown: toUnknown(call, scope) }
        isStarted = true
        return await execute(turnCall, round, gate, onStart, isOurs)
      })
    // An engine that is closed after the intent was recorded lets the call end, so that its outcome is known.
    const united = isRecorded ? steps.together?.([`intent-${key}`, `call-${key}`], run) : undefined
    // Without an engine there is nothing to record, and the two functions above would cost 3 % of a step in `bench loop`.
    isStarted = steps === directSteps
    ended = await (isStarted ? execute(turnCall, round, gate, onStart) : (united ?? run()))
  } catch (cause) {
    // The call may have taken effect, but there is no record of it.
    if (isStarted && tool !== undefined && tool.effect !== 'read') unknownCalls.push(toUnknown(call, scope))
    if (signal?.aborted) return failed(call, isStarted ? abortedText(call.name, tool) : STOPPED, 'aborted')
    throw isStarted ? new Unrecorded(cause) : cause
  }
  // If the call was executed just now, its usage has already been added.
  if (ended.usage !== undefined && !isStarted) spending.addOfCall(ended.usage)
  if ('unknown' in ended && ended.unknown !== undefined) unknownCalls.push(ended.unknown)
  return ended
}

/** Returns the callbacks that `executeNested` needs. */
function callsInside(turnCall: ReadCall, scope: CallScope, gate: Decided | undefined, onStart: () => void): NestedCalls {
  return {
    assertUnchanged: gate?.assertUnchanged && (async () => await gate.assertUnchanged?.(gate.call.decision)),
    run(watched, options) {
      onStart()
      return resultOf(turnCall, options, scope, gate, watched)
    },
    toOutcome: (result) => toPage(result, turnCall, scope, gate),
    async execute(inner, inside, decided) {
      const { id } = inner.call
      if (decided?.type === 'invalid') return inside.steps.run(`call-${id}`, async () => decided.outcome)
      return executeCall(inner, inside, decided?.type === 'decided' ? decided : undefined)
    },
  }
}

/**
 * Records the intent to execute a call, so that it isn't repeated by mistake after a crash. Returns false if an earlier process recorded
 * the intent but no result. Only if the tool is `idempotent`, and was so then, its call is executed again with the same key.
 */
async function recordIntent({ token: begun }: ReadCall, { key, scope, given }: Round): Promise<boolean> {
  const { steps, token } = scope
  // The intent recorded with the turn covers only the first execution of the call.
  const owner = (given === undefined ? begun : undefined) ?? (await steps.run(`intent-${key}`, async () => token))
  return owner === token
}

/**
 * Executes the tool and converts its result. Rejects with `aborted` when the caller aborts. `isOurs` is false if an earlier process may have
 * executed the call. `onStart` is called first.
 */
async function execute(
  turnCall: ReadCall,
  { scope, given }: Round,
  gate: Decided | undefined,
  onStart: () => void,
  isOurs = true,
): Promise<CallOutcome | RecordedQuestions> {
  onStart()
  const { call, tool } = turnCall
  const { signal, spending, isProgram } = scope
  let usage: Usage | undefined
  const onProgress = (update: unknown) => {
    if (!isModelUsage(update)) return
    usage = sumOf(usage ?? {}, update.usage)
    spending.addOfCall(update.usage)
  }
  // A program's records can't contain a call that waits for answers, so a call made by a program gets no `input`. Calls that make calls
  // themselves have their own records.
  const options = callOptions(call, scope, onProgress, isProgram ? undefined : { given })
  const isPlain = tool !== undefined && gate === undefined
  const result = await (isPlain ? callTool(tool, call, options) : resultOf(turnCall, options, scope, gate))
  const asking = isProgram ? undefined : toRecordedQuestions(result)
  if (asking !== undefined) return { ...asking, usage }
  if (wasAborted(result, signal) && (!result.ok || isRepeatable(tool?.effect))) throw signal?.reason
  if (!result.ok && (isGivenUp(result) ? !isRepeatable(tool?.effect) : !isOurs && result.error.code === 'invalid_arguments')) {
    const { message, code } = result.error
    return { ...failed(call, `${message} ${MAY_BE_DONE}`, code), unknown: toUnknown(call, scope), usage }
  }
  const page = toPage(result, turnCall, scope, gate)
  const outcome = usage === undefined ? page : { ...page, usage }
  // The tool's own message says that the outcome is unknown.
  const isUnknown = !result.ok && result.error.reason === 'unknown_outcome' && !isRepeatable(tool?.effect)
  return isUnknown ? { ...outcome, unknown: toUnknown(call, scope) } : outcome
}

/** Executes the call. An approved call is executed with exactly the arguments that were shown, or with those of the edit. */
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
  if (decision.type === 'edit') return (await changedEdit(prepared, options)) && editNotRun(name)
  return (await toShown(prepared)).digest === digest ? undefined : changedSinceApproval(name)
}

/** Returns true after a timeout or an abort, when the tool may still be running. A tool may also throw errors with these codes itself. */
function isGivenUp({ error }: ToolFailure): boolean {
  return error.code === 'timeout' || error.code === 'aborted'
}

function abortedText(name: string, tool: Tool | undefined): string {
  return isRepeatable(tool?.effect) ? aborted(name) : `${aborted(name)} ${MAY_BE_DONE}`
}

/** Turns a client tool's result into the outcome of the call. Validates the result against the tool's output schema. */
async function takeResult(turnCall: ReadCall, output: unknown, scope: CallScope): Promise<CallOutcome> {
  const { call, tool } = turnCall
  const issues = tool?.output === undefined ? [] : await validate(tool.output, output)
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return failed(call, invalidClientResult(call.name, words), 'invalid_output')
  }
  const result: ToolSuccess = { ok: true, call, output: output ?? null, tags: [], outputTags: [] }
  if (tool?.toModelOutput === undefined || scope.isProgram) return toPage(result, turnCall, scope)
  // `toModelOutput` runs as a step, so that the model sees the same result in a replay.
  const record = async () => {
    const shown = await withModelOutput(result, tool, callOptions(call, scope))
    scope.signal?.throwIfAborted()
    return toPage(shown, turnCall, scope)
  }
  return scope.media.run(`call-${call.id}`, record).catch((cause: unknown) => {
    if (scope.signal?.aborted) return failed(call, aborted(call.name), 'aborted')
    throw new Unrecorded(cause)
  })
}

/** Adds what `toModelOutput` returns for the client's output. */
async function withModelOutput(result: ToolSuccess, tool: Tool, options: CallOptions): Promise<ToolResult> {
  const { call, output } = result
  // The other stages of the call are skipped, so that only `toModelOutput` runs.
  const none = { value: undefined }
  const done = Object.create(tool, { execute: { value: () => output }, output: none, hooks: none, context: none }) as Tool
  const ended = await executePrepared({ tool: done, call, args: {}, tags: [] }, options)
  return ended.ok ? { ...ended, args: undefined } : result
}

/**
 * Returns the outcome. For a model, the text of a long result is cut to its first page. A program gets the whole output, or an error if
 * the output is truncated: it would calculate with a part of it.
 */
function toPage(result: ToolResult, { call, tool, isEnding }: ReadCall, scope: CallScope, gate?: Decided): CallOutcome {
  const { results, isProgram, searchTool } = scope
  if (isProgram && result.ok && result.isTruncated)
    return failed(call, outputTooLong(call.name, tool?.maxOutputLength ?? MAX_OUTPUT_LENGTH), 'output_too_large')
  // If the approval's record contains the arguments, they aren't recorded again.
  const isKnown = gate !== undefined && executedArgs(gate.call) !== undefined
  const recorded = result.ok && isKnown ? { ...result, args: undefined } : result
  const outcome = toOutcome(recorded.ok && isProgram ? { ...recorded, modelOutput: undefined } : recorded)
  const { observation } = outcome
  // A page of a long result already has the maximum length. A search limits its result itself, because the run reads the found names from it.
  const { name } = observation
  if (isEnding || isProgram || name === READ_RESULT || name === searchTool) return outcome
  const page = results.cut(observation)
  return page.observation === observation ? outcome : { ...outcome, ...page }
}

function failed({ id, name }: ToolCall, message: string, code: CallErrorCode | ToolErrorCode): CallOutcome {
  return { observation: toErrorObservation(id, name, message, code) }
}

function toUnknown({ id, name, args }: ToolCall, scope: CallScope): UnknownCall {
  return { code: 'unknown_outcome', callId: id, name, args, idempotencyKey: idempotencyKeyOf(scope.id, id) }
}
