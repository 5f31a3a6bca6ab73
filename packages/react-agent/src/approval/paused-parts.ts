/** Checks the parts of a paused run, which may come from a client. */
import { findFault, MAX_DEPTH } from '@x/tool-core'
import { isRecord } from '../json.ts'
import { areParts, readHistory } from '../loop/history.ts'
import type { PausedRun } from './paused-run.ts'
import { isDecision } from './read-decision.ts'

/** The name of the first part that is missing or invalid. */
export function wrongPart(paused: Readonly<Record<string, unknown>>): string | undefined {
  return Object.entries(PARTS).find(([name, isPart]) => !isPart(paused[name]))?.[0] ?? wrongPlace(paused)
}

/** The earlier messages must be followed by the task's inputs. */
function wrongPlace({ earlier, messages }: Readonly<Record<string, unknown>>): 'earlier' | undefined {
  const task = (messages as PausedRun['messages'])[earlier as number]
  return task?.role === 'user' ? undefined : 'earlier'
}

type Guard = (value: unknown) => boolean

/** The check of each part. Parts without a check are only sent to the model. */
const PARTS: Readonly<Record<string, Guard>> = {
  agent: isText,
  runId: isText,
  inputs: isRecord,
  earlier: isCount,
  messages: areMessages,
  forgotten: listOf((value) => has(value, { start: isCount, end: isCount, words: isText })),
  step: isCount,
  response: (value) => has(value, { text: isText, toolCalls: listOf(isRawCall), malformedCalls: optional(listOf(isText)) }),
  finished: listOf(isOutcome),
  pending: listOf(isPendingCall),
  decided: listOf((value) => isPendingCall(value) && has(value, { decision: isDecision, edited: optional(areKept) })),
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
  const texts = {
    callId: isText,
    name: isText,
    digest: isText,
    key: isText,
    parentCallId: optional(isText),
    message: optional(isText),
  }
  const data = { args: isRecord, executes: optional(areKept), schema: optional(isRecord), tags: optional(listOf(isTag)) }
  return has(value, { ...texts, ...data, needs: isNeed })
}

function isNeed(value: unknown): boolean {
  return value === 'approval' || value === 'result' || value === 'input'
}

function isTag(value: unknown): boolean {
  return has(value, { tag: isText, path: isText })
}

/** True for JSON texts that can be parsed safely. */
function areRecords(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string' && isSoundJson(text))
}

function isSoundJson(text: string): boolean {
  try {
    return findFault(JSON.parse(text), MAX_DEPTH + 100) === undefined
  } catch {
    return false
  }
}

/** True for an object, a list or null, because a schema may transform the arguments to a list. */
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
