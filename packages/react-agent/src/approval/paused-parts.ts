/** Checks the parts of a paused run, which may come from a client. */
import { findFault, MAX_DEPTH, segmentsOf, valueAt } from '@x/tool-core'
import { nestedPrefix } from '../calls/call-ids.ts'
import { isRecord } from '../json.ts'
import { areParts, readHistory } from '../loop/history.ts'
import type { CallData, CallOutcome } from '../loop/outcome.ts'
import type { PausedRun } from './paused-run.ts'
import { isDecision } from './read-decision.ts'

/** Returns the name of the first part that is missing or invalid. */
export function wrongPart(paused: Readonly<Record<string, unknown>>): string | undefined {
  return Object.entries(PARTS).find(([name, isPart]) => !isPart(paused[name]))?.[0] ?? wrongPlace(paused)
}

/** Returns `earlier` if the message at that index isn't a user message, which would contain the task. */
function wrongPlace({ earlier, messages }: Readonly<Record<string, unknown>>): 'earlier' | undefined {
  const task = (messages as PausedRun['messages'])[earlier as number]
  return task?.role === 'user' ? undefined : 'earlier'
}

type Guard = (value: unknown) => boolean

/** The guard for each part. Parts without a guard are only sent to the model. */
const PARTS: Readonly<Record<string, Guard>> = {
  agent: isText,
  runId: isText,
  inputs: isRecord,
  earlier: isCount,
  messages: areMessages,
  forgotten: areForgotten,
  step: isCount,
  response: isResponse,
  finished: listOf(isOutcome),
  pending: listOf(isPendingCall),
  decided: listOf(isDecidedCall),
  nested: (value) => isRecord(value) && Object.values(value).every(areRecords),
  usage: areAmounts,
  repairs: isCount,
  budget: areAmounts,
  unknownCalls: listOf(isUnknownCall),
  results: (value) => isRecord(value) && Object.values(value).every(isText),
  counted: listOf(isText),
  expiresAt: optional(isText),
  signature: optional(isText),
}

function isPendingCall(value: unknown): boolean {
  return has(value, {
    callId: isText,
    name: isText,
    digest: isText,
    key: isText,
    parentCallId: optional(isText),
    message: optional(isText),
    args: isRecord,
    executes: optional(areKept),
    schema: optional(isRecord),
    tags: optional(listOf(isTag)),
    needs: isNeed,
  })
}

function isDecidedCall(value: unknown): boolean {
  return isPendingCall(value) && has(value, { decision: isDecision, edited: optional(areKept) })
}

/** Also checks the facts that a journal records with a response. */
function isResponse(value: unknown): boolean {
  return has(value, {
    text: isText,
    toolCalls: listOf(isRawCall),
    malformedCalls: optional(listOf(isText)),
    forgotten: optional(areForgotten),
    approvals: optional(listOf(isText)),
    writes: optional(listOf(isText)),
    unknown: optional(listOf(isText)),
  })
}

function areForgotten(value: unknown): boolean {
  return listOf((range) => has(range, { start: isCount, end: isCount, words: isText }))(value)
}

function isNeed(value: unknown): boolean {
  return value === 'approval' || value === 'result' || value === 'input'
}

function isTag(value: unknown): boolean {
  return has(value, { tag: isText, path: isText })
}

/** Returns true if every record is JSON text that can be parsed safely and has the form that its key requires. */
function areRecords(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([key, text]) => typeof text === 'string' && isTextOf(key, text))
}

function isTextOf(key: string, text: string): boolean {
  try {
    const record: unknown = JSON.parse(text)
    return findFault(record, MAX_DEPTH + 100) === undefined && isRecordOf(key, record)
  } catch {
    return false
  }
}

/** Returns true if the step with this key may have recorded the value. */
export function isRecordOf(key: string, record: unknown): boolean {
  const place = /^(?:nested-[^/]*\/)*/.exec(key)?.[0] ?? ''
  const name = key.slice(place.length)
  const [kind = ''] = name.split('-')
  const isKind = Object.hasOwn(RECORDS, kind) ? RECORDS[kind] : undefined
  return isKind === undefined || (isKind(record) && isOfCall(place, name, record as OfCall))
}

interface OfCall {
  readonly observation?: CallOutcome['observation']
}

/** Returns false for the outcome of another call. */
function isOfCall(place: string, name: string, { observation }: OfCall): boolean {
  if (observation === undefined) return true
  const { callId } = observation
  return name === `call-${callId}` || name === `asked-${callId}` || place.endsWith(nestedPrefix(callId))
}

/** The guard for each kind of record. */
const RECORDS: Readonly<Record<string, Guard>> = {
  turn: (value) => has(value, { isEnd: (isEnd) => isEnd === true }) || has(value, TURN),
  order: listOf(isCount),
  gate: listOf(isCount),
  intent: isText,
  call: (value) => isKeptOutcome(value) || has(value, { asked: areQuestions, usage: optional(areAmounts) }),
  input: areQuestions,
  execution: (value) => isKeptOutcome(value) || isWaitingCall(value),
  asked: (value) => isKeptOutcome(value) || isShown(value),
  decided: (value) => has(value, { decision: isDecision, digest: isText, edited: optional(areKept) }),
  model: isResponse,
  last: isResponse,
  stop: (value) => typeof value === 'boolean',
  start: (value) => has(value, { limits: optional(areAmounts) }),
}

const TURN = { after: isCount, calls: listOf(isRecordedCall), limit: optional(isCount), token: optional(isText) }

/** Ignores `mayWrite`: any value is safe, because it can only keep a call from being repeated. */
function isRecordedCall(value: unknown): boolean {
  return has(value, { name: isText, digest: isText, barrier: optional(isText), refusal: optional(isKeptOutcome) })
}

/** Returns true for the record of an execution that ended with questions. */
function areQuestions(value: unknown): boolean {
  return has(value, { questions: listOf((question) => has(question, { key: isText, message: isText, schema: isRecord })) })
}

function isWaitingCall(value: unknown): boolean {
  const calls = { waiting: listOf(isPendingCall), decided: listOf(isDecidedCall) }
  return has(value, { ...calls, expiresAt: optional(isText), usage: optional(areAmounts) })
}

function isShown(value: unknown): boolean {
  const data = { args: optional(isRecord), executes: optional(areKept), digest: optional(isText), tags: optional(listOf(isTag)) }
  return has(value, { ...data, expiresAt: optional(isText), observation: (observation) => observation === undefined })
}

/** Returns true for a recorded outcome, which includes its data. Images may be replaced by their digests. */
function isKeptOutcome(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.observation)) return false
  const { observation, data = {}, whole = observation.text } = value
  const parts = Array.isArray(observation.parts) ? observation.parts.map(withoutDigest) : observation.parts
  const isSound = isOutcome({ ...value, observation: { ...observation, parts } })
  const details = {
    args: optional(isRecord),
    tags: optional(listOf(isTag)),
    outputTags: optional(listOf(isTag)),
    reason: optional(isText),
    issues: optional(listOf(isRecord)),
  }
  if (!isSound || !has(data, details)) return false
  const { form, output, media = {} } = data as CallData
  if (form === 'json') JSON.parse(whole as string)
  return Object.entries(media).every(([pointer, digest]) => isText(digest) && isPlace({ output }, pointer))
}

function withoutDigest(part: unknown): unknown {
  const isDigest = has(part, { source: (source) => has(source, { digest: isText }) })
  return isDigest ? { ...(part as object), source: { base64: 'AA==' } } : part
}

/** Returns true if the output contains the parent of the value at the pointer. */
function isPlace(data: object, pointer: string): boolean {
  const parent = valueAt(data, ['output', ...segmentsOf(pointer)].slice(0, -1))
  return typeof parent === 'object' && parent !== null
}

/** Returns true for an object, a list or null, because a schema may transform the arguments to a list. */
function areKept(value: unknown): boolean {
  return typeof value === 'object'
}

function isRawCall(value: unknown): boolean {
  return has(value, { id: isText, name: isText, arguments: isText })
}

function isOutcome(value: unknown): boolean {
  return has(value, {
    observation: isObservation,
    whole: optional(isText),
    usage: optional(areAmounts),
    unknown: optional(isUnknownCall),
    nestedUnknown: optional(listOf(isUnknownCall)),
  })
}

function isObservation(value: unknown): boolean {
  return has(value, {
    callId: isText,
    name: isText,
    text: isText,
    parts: optional(areParts),
    ok: (ok) => typeof ok === 'boolean',
  })
}

function isUnknownCall(value: unknown): boolean {
  return has(value, { callId: isText, name: isText, args: isRecord, idempotencyKey: isText })
}

function areMessages(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  try {
    readHistory(value)
    return true
  } catch {
    return false
  }
}

function areAmounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((amount) => typeof amount === 'number' && amount >= 0)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function listOf(isItem: Guard): Guard {
  return (value) => Array.isArray(value) && value.every(isItem)
}

function optional(isValue: Guard): Guard {
  return (value) => value === undefined || isValue(value)
}

function has(value: unknown, members: Readonly<Record<string, Guard>>): boolean {
  return isRecord(value) && Object.entries(members).every(([name, isMember]) => isMember(value[name]))
}
