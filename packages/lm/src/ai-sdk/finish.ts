/** Converts finish reasons to and from the AI SDK's. */

import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { FinishReason, LMResponse } from '@x/adapters'
import { fieldAt, isObject, stringAt } from './read.ts'

/**
 * Reads a finish reason, which is a string in version 2 and an object with the provider's own value since version 3. Returns an empty
 * result for `unknown`, and for `other` without a raw value. A model reports these if it has no finish reason.
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
 * Returns the AI SDK's finish reason. The AI SDK runs calls only for `stop` and `tool-calls`, so a missing or unknown reason becomes
 * `tool-calls` if the reply has calls.
 */
export function toFinishReason(
  { finishReason, rawFinishReason }: Pick<LMResponse, 'finishReason' | 'rawFinishReason'>,
  hasCalls: boolean,
): LanguageModelV3FinishReason {
  if (hasCalls && (finishReason === undefined || finishReason === 'other')) return { unified: 'tool-calls', raw: rawFinishReason }
  return { unified: finishReason ?? 'stop', raw: rawFinishReason }
}

/** True if a reply with this finish reason may have ended in the middle of a call. */
export function isCutBy(finishReason: FinishReason): boolean {
  return finishReason === 'length' || finishReason === 'content-filter' || finishReason === 'error'
}
