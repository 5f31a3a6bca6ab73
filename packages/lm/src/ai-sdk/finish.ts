/** Converts finish reasons between the AI SDK's format and ours. */

import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { FinishReason, LMResponse } from '@x/adapters'
import { fieldAt, isObject, stringAt } from './read.ts'

/**
 * Reads a finish reason. In version 2 it is a string; since version 3 it is an object that also has the provider's own value.
 * Returns an empty result for `unknown`, and for `other` without a raw value, because models report these when they have no
 * finish reason.
 */
export function readFinish(reason: unknown): Pick<LMResponse, 'finishReason' | 'rawFinishReason'> {
  const unified = isObject(reason) ? stringAt(reason, 'unified') : reason
  const rawFinishReason = stringAt(reason, 'raw')
  if (typeof unified !== 'string' || unified === 'unknown') return {}
  if (unified === 'other' && isObject(reason) && fieldAt(reason, 'raw') === undefined) return {}
  const finishReason = CLASSES.get(unified)
  if (finishReason === unified) return { finishReason, ...(rawFinishReason !== undefined && { rawFinishReason }) }
  return { finishReason: finishReason ?? 'other', rawFinishReason: rawFinishReason ?? unified }
}

const CLASSES = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['other', 'other'],
  ['interrupted', 'error'],
])

/**
 * Converts a finish reason to the AI SDK's. The AI SDK executes calls only for `stop` and `tool-calls`, so a missing or unknown
 * reason becomes `tool-calls` if the reply has calls.
 */
export function toFinishReason(
  { finishReason, rawFinishReason }: Pick<LMResponse, 'finishReason' | 'rawFinishReason'>,
  hasCalls: boolean,
): LanguageModelV3FinishReason {
  if (hasCalls && (finishReason === undefined || finishReason === 'other')) return { unified: 'tool-calls', raw: rawFinishReason }
  return { unified: finishReason ?? 'stop', raw: rawFinishReason }
}

/** Returns true if a reply with this finish reason may have ended in the middle of a call. */
export function isCutBy(finishReason: FinishReason): boolean {
  return finishReason === 'length' || finishReason === 'content-filter' || finishReason === 'error'
}
