/** Why a turn ended, in the words of both sides. */

import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import type { Finish, LMResponse } from '@x/adapters'
import { fieldAt, isObject, stringAt } from './read.ts'

/**
 * A text up to version 2, a class with the provider's own word from 3 on. Models that were told no reason say `unknown`, or `other`
 * without a word: that is none.
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

/** Users of the AI SDK run calls only where the reason is `stop` or `tool-calls`, so an odd one, or none, beside calls is the latter. */
export function toFinishReason(
  { finish, rawFinish }: Pick<LMResponse, 'finish' | 'rawFinish'>,
  hasCalls: boolean,
): LanguageModelV3FinishReason {
  if (hasCalls && (finish === undefined || finish === 'other')) return { unified: 'tool-calls', raw: rawFinish }
  return { unified: finish ?? 'stop', raw: rawFinish }
}

/** Whether a reply that ended for this reason may stop in the middle of a call. */
export function isCutBy(finish: Finish): boolean {
  return finish === 'length' || finish === 'content-filter' || finish === 'error'
}
