/** Shapes long lists of values for every API, for `hostile.test.ts`. */

import { anthropicRules } from '../../src/wire/anthropic-messages/rules.ts'
import { geminiRules } from '../../src/wire/gemini/rules.ts'
import { mistralRules } from '../../src/wire/mistral/rules.ts'
import { openaiChatRules } from '../../src/wire/openai-chat/rules.ts'
import type { Reading } from '../work-thread.ts'
import { type Schema, shapeRoot } from './shapes.ts'

export const RULES = [mistralRules, openaiChatRules, anthropicRules, geminiRules].flatMap((rules) =>
  [false, true].map((strict) => ({ id: rules.id, rules, strict })),
)

/** Returns a schema with two lists of this length. A value must be in both lists. */
export function twoLists(length: number): Schema {
  const [one, other] = ['a', 'b'].map((letter) => ({ enum: Array.from({ length }, (_, index) => letter + index) }))
  return { type: 'object', properties: { a: { allOf: [one, other] }, 'x y': {} } }
}

export const readings: readonly Reading[] = RULES.map(({ id, rules, strict }) => ({
  name: `${id}, strict: ${strict}`,
  read: (length) => void shapeRoot(twoLists(length), rules, strict),
}))
