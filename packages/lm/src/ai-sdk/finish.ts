/** Converts finish reasons in both directions. */

import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { Finish, LMResponse } from '@x/adapters'
import { fieldAt, isObject, stringAt } from './read.ts'

/**
 * Reads a string (version 2) or an object with the provider's own value (from version 3). A model without a finish reason reports
 * `unknown`, or `other` without a raw value; both yield an empty result.
 */
export function readFinish(reason: unknown): Pick<LMResponse, 'finish' | 'rawFinish'> {
  const unified = isObject(reason) ? stringAt(reason, 'unified') : reason
  const rawFinish = stringAt(reason, 'raw')
  if (typeof unified !== 'string' || unified === 'unknown') return {}
  if (unified === 'other' && isObject(reason) && fieldAt(reason, 'raw') === undefined) return {}
  const finish = CLASSES.get(unified)
  if (finish === unified) return { finish, ...(rawFinish !== undefined && { rawFinish }) }
  return { finish: finish ?? 'other', rawFinish: rawFinish ?? unified }
}

const CLASSES = new Map<string, Finish>([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'length'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['other', 'other'],
  ['interrupted', 'error'],
])

/** The AI SDK runs calls only for `stop` or `tool-calls`, so a missing or unknown reason beside calls becomes `tool-calls`. */
export function toFinishReason(
  { finish, rawFinish }: Pick<LMResponse, 'finish' | 'rawFinish'>,
  hasCalls: boolean,
): LanguageModelV3FinishReason {
  if (hasCalls && (finish === undefined || finish === 'other')) return { unified: 'tool-calls', raw: rawFinish }
  return { unified: finish ?? 'stop', raw: rawFinish }
}

/** Returns true if a reply with this finish reason may have ended in the middle of a call. */
export function isCutBy(finish: Finish): boolean {
  return finish === 'length' || finish === 'content-filter' || finish === 'error'
}
