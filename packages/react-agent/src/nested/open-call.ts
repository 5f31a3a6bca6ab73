/** One call or question of a program, from the moment the program makes it until its result is delivered. */
import {
  canonicalJson,
  declaresWrite,
  digestOf,
  isRepeatable,
  NestedCallError,
  type ProgramRefusal,
  type ProgramResult,
  type Question,
  readSchema,
  type Tool,
  unknownTool,
} from '@x/tool-core'
import { assertAnswerable } from '../approval/answer.ts'
import type { DecidedCall, KeptArgs, PendingCall } from '../approval/decision.ts'
import { type Gate, reportDecision, type ShownCall } from '../approval/gate.ts'
import { outputOf } from '../calls/finished-call.ts'
import { AgentError } from '../errors.ts'
import { isRecord } from '../json.ts'
import type { CallOutcome } from '../loop/outcome.ts'
import type { CallScope } from '../loop/scope.ts'
import { type ErrorCode, invalidNestedArguments, recursiveCall, toErrorObservation, withoutErrorMark } from '../prompts.ts'
import { allowedNames, allowedTool, effectOf, type RunTools } from './allowed-tools.ts'
import type { Stop } from './limits.ts'
import type { OpenPromise } from './nested-promise.ts'
import type { NestedSteps } from './nested-steps.ts'
import type { WaitingCall } from './waiting.ts'

export interface OpenCall {
  /** Number of the call within the program, counted from 1. */
  readonly n: number
  /** Where the result is delivered: the promise that `execute` has, or the number that a program elsewhere has for the call. */
  opened?: OpenPromise | number | undefined
  readonly id: string
  readonly name: string
  readonly args: KeptArgs
  /** The tool to call, or the tool that asks the question. Undefined for a refused call. */
  tool?: Tool | undefined
  readonly question?: AskedQuestion | undefined
  /** Version of the tool's schema, if the program passed one. */
  readonly version?: string | undefined
  /** Text for the person who approves the call. */
  readonly note?: string | undefined
  /** The error that occurred when the tool of a refused call was loaded. */
  readonly loadError?: unknown
  /** Why the call isn't run. */
  refusal?: CallOutcome | undefined
  /** Why the call can't run in parallel with others. A replay uses the recorded value, because the tool may have changed. */
  barrier: Barrier
  /** True if the call may have effects, so that it must not be repeated. A replay uses the recorded value. */
  mayWrite?: boolean | undefined
  isUnasked?: boolean | undefined
  /** The approval state of the call. Undefined while a decision is needed and hasn't been looked up. */
  gate?: Gate | undefined
  shown?: ShownCall | undefined
  digest?: string | undefined
  /** Token of the execution that recorded the intent to run this call and those that started with it. */
  token?: string | undefined
  /** True if a record shows that the call has ended. It then has an outcome, even if its inner calls were waiting at first. */
  hasEnded?: boolean | undefined
  run?: Promise<void> | undefined
  outcome?: CallOutcome | undefined
  /** True if a decision was looked up, and there is none yet. */
  isUndecided?: boolean | undefined
  /** Why `approve` could not decide the call. */
  cause?: unknown
  /** The inner calls that are waiting for decisions, if any. */
  waiting?: WaitingCall | undefined
}

/** A call with a barrier waits for all earlier open calls, and all later ones wait for it. */
export type Barrier = 'none' | 'write' | 'approval'

export interface AskedQuestion {
  readonly key: string
  readonly message: string
  /** JSON Schema, or a converted schema with its library's validator. */
  readonly schema: object
}

export interface Asker {
  readonly callId: string
  readonly tool: Tool
}

export interface Caller extends Asker {
  /** The tools that are being executed, outermost first. */
  readonly running: readonly Tool[]
  readonly run: RunTools
}

export interface ProgramParts {
  readonly caller: Caller
  /** The scope of the calls that the program makes. Its steps are `steps`. */
  readonly scope: CallScope
  readonly steps: NestedSteps
  execute(call: OpenCall): Promise<CallOutcome | WaitingCall>
  /** Called when the program must not continue. */
  onStop(stop: Stop): void
}

/** Reads the program's call immediately, so that later changes to its arguments have no effect. */
export function toOpenCall(n: number, request: Request, { callId, tool: outer, running, run }: Caller): OpenCall {
  const id = `${callId}.${n}`
  const { name, args, own, version, note, refusal } = readRequest(request)
  const base = { n, id, name, args: args ?? {}, version, note, loadError: refusal?.cause }
  const refuse = (message: string, code: ErrorCode): OpenCall => {
    return { ...base, refusal: { observation: toErrorObservation(id, name, message, code) }, barrier: 'none' }
  }
  if (refusal !== undefined) return refuse(refusal.message, refusal.code as ErrorCode)
  const tool = own ?? allowedTool(outer, name, run)
  if (tool === undefined) return refuse(unknownTool(name, allowedNames(outer, run)).message, 'unknown_tool')
  if (running.includes(tool)) return refuse(recursiveCall(name), 'recursive_call')
  if (args === undefined) return refuse(invalidNestedArguments(name), 'invalid_arguments')
  const effect = effectOf(tool, run)
  const ofEffect = declaresWrite(effect) ? 'write' : 'none'
  return { ...base, tool, barrier: tool.needsApproval ? 'approval' : ofEffect, mayWrite: !isRepeatable(effect) || undefined }
}

/** A call by `execute`, or one by a program that runs elsewhere, which has a tool or a refusal. */
interface Request {
  readonly name?: string | undefined
  readonly args?: unknown
  readonly tool?: Tool | undefined
  readonly version?: string | undefined
  readonly note?: string | undefined
  readonly refusal?: ProgramRefusal | undefined
}

interface ReadRequest {
  readonly name: string
  readonly args?: KeptArgs | undefined
  /** The tool that the program passed. */
  readonly own?: Tool | undefined
  readonly version?: string | undefined
  readonly note?: string | undefined
  readonly refusal?: ProgramRefusal | undefined
}

/** The arguments of a program that runs elsewhere are JSON data that nothing changes. Other arguments are copied. */
function readRequest(request: Request): ReadRequest {
  let name = ''
  try {
    const { tool: own, version, note, refusal } = request
    name = own?.name ?? String(request.name)
    const args: unknown = (own ?? refusal) ? request.args : JSON.parse(JSON.stringify(request.args ?? {}) ?? 'null')
    return { name, args: isRecord(args) ? args : undefined, own, version, note, refusal }
  } catch {
    return { name }
  }
}

const KEY = /^[A-Za-z][\w-]{0,63}$/

/** Creates an open question. Throws `invalid_options` for a question that can't be asked, which is the programmer's mistake. */
export function toOpenQuestion(n: number, question: Question, { callId, tool }: Asker): OpenCall {
  const owner = `context.ask in "${tool.name}"`
  if (!isRecord(question)) throw new AgentError('invalid_options', `${owner}: pass { key, message, schema }.`)
  const { key, message, schema: given } = question
  if (typeof key !== 'string' || !KEY.test(key))
    throw new AgentError('invalid_options', `${owner}: key must have 1 to 64 letters, digits, "_" or "-", the first a letter.`)
  if (typeof message !== 'string' || message.trim() === '')
    throw new AgentError('invalid_options', `${owner}: message must be a non-empty string.`)
  const { schema, fault } = readSchema(given)
  if (schema?.type !== 'object')
    throw new AgentError('invalid_options', `${owner}: schema ${fault ?? 'must be an object schema, e.g. Type.Object({ … }).'}`)
  assertAnswerable(schema, owner)
  return {
    n,
    id: `${callId}.${key}`,
    name: tool.name,
    args: {},
    tool,
    question: { key, message, schema },
    barrier: 'none',
  }
}

/** Returns the record of a call. A replay must make the same call: the same tool with the same arguments, or the same question. */
export async function toRecordedCall({
  name,
  args,
  question,
  opened,
  refusal,
  barrier,
  mayWrite,
  version,
}: OpenCall): Promise<RecordedCall> {
  if (question === undefined) {
    // A program that runs elsewhere writes its arguments in the same order again.
    const text = typeof opened === 'number' ? JSON.stringify(args) : canonicalJson(args)
    const digest = text.length <= SHORT ? text : await digestOf(args)
    return { name, digest, barrier, mayWrite, version, refusal }
  }
  const { key, message, schema } = question
  return { name: `question ${key}`, digest: await digestOf({ message, schema }) }
}

export interface RecordedCall {
  readonly name: string
  /**
   * The canonical JSON of the arguments if it is short, otherwise its SHA-256. Hashing short arguments too would double the cost of a
   * call.
   */
  readonly digest: string
  readonly version?: string | undefined
  /** Why the call can't run in parallel with others. Undefined for a question. */
  readonly barrier?: Barrier | undefined
  readonly mayWrite?: boolean | undefined
  /** Why the call wasn't run. A replay gets the same refusal, even if the agent's tools have changed. */
  readonly refusal?: CallOutcome | undefined
}

const SHORT = 128

/** Returns true once the call can be run, or its result is known without running it. */
export function isDecided({ question, gate, barrier }: OpenCall): boolean {
  return gate !== undefined || (question === undefined && barrier !== 'approval')
}

export function isQuestion(call: OpenCall): call is OpenCall & { readonly question: AskedQuestion; readonly tool: Tool } {
  return call.question !== undefined
}

/** Returns the scope for the call. The events of a call that ended in an earlier execution have already been emitted. */
export function scopeOf({ id }: OpenCall, scope: CallScope): CallScope {
  return scope.outer?.wasKnown(`ended-${id}`) ? { ...scope, emit: () => {} } : scope
}

/** Lets the decision take effect. Reports it if it is new. */
export function applyGate(gate: Gate, call: OpenCall, scope: CallScope, isNew: boolean): void {
  call.gate = gate
  if (isNew) reportDecision(gate, scope)
}

/** Returns the decisions that the calls are waiting for, with the ids and keys of the run that makes the outer call. */
export function waitingFor(calls: Iterable<OpenCall>, { steps }: ProgramParts): WaitingCall {
  const waiting: PendingCall[] = []
  const decided: DecidedCall[] = []
  const ends: string[] = []
  let cause: unknown
  for (const { shown, gate, waiting: inner, cause: own } of calls) {
    if (shown !== undefined && gate === undefined) waiting.push(steps.placed(shown.call))
    if (gate?.type === 'decided') decided.push(steps.placed(gate.call) as DecidedCall)
    for (const call of inner?.waiting ?? []) waiting.push(steps.placed(call))
    for (const call of inner?.decided ?? []) decided.push(steps.placed(call) as DecidedCall)
    const end = gate === undefined ? (shown?.expiresAt ?? inner?.expiresAt) : undefined
    if (end !== undefined) ends.push(end)
    cause ??= own ?? inner?.cause
  }
  return { waiting, decided, expiresAt: ends.sort()[0], cause }
}

/** Settles the program's promise: with the output or the user's answer, or with an error if the call failed. */
export function deliver(call: OpenCall): void {
  const { question, outcome } = call
  const { resolve, reject } = call.opened as OpenPromise
  const error = errorOf(call)
  if (error !== undefined) reject(error)
  else resolve(question === undefined ? outputOf(outcome as CallOutcome) : outcome?.data?.output)
}

/** Returns the result for a program that runs elsewhere. */
export function toProgramResult(call: OpenCall): ProgramResult {
  const outcome = call.outcome as CallOutcome
  const { ok, text } = outcome.observation
  const json = outcome.data?.form === 'json' ? text : JSON.stringify(errorOf(call) ?? outputOf(outcome))
  return { n: call.opened as number, tool: call.name, ok, json }
}

function errorOf({ id: callId, name: tool, outcome }: OpenCall): NestedCallError | undefined {
  const { observation, data } = outcome as CallOutcome
  const { ok, code = 'execution_failed', text } = observation
  if (ok) return undefined
  return new NestedCallError(withoutErrorMark(text), { code, callId, tool, reason: data?.reason, issues: data?.issues })
}
