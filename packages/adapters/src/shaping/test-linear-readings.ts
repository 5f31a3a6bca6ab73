/** Long lists of values as they are shaped for every API, for `hostile.test.ts`. */
import type { Reading } from '../test-work-thread.ts'
import { anthropicRules } from './rules/anthropic-messages.ts'
import { geminiRules } from './rules/gemini.ts'
import { mistralRules } from './rules/mistral.ts'
import { openaiChatRules } from './rules/openai-chat.ts'
import { type Schema, shapeRoot } from './test-shapes.ts'

export const RULES = [mistralRules, openaiChatRules, anthropicRules, geminiRules].flatMap((rules) =>
  [false, true].map((strict) => ({ id: rules.id, rules, strict })),
)

/** Two lists of as many values, of which a value must be in both. */
export function twoLists(length: number): Schema {
  const [one, other] = ['a', 'b'].map((letter) => ({ enum: Array.from({ length }, (_, index) => letter + index) }))
  return { type: 'object', properties: { a: { allOf: [one, other] }, 'x y': {} } }
}

export const readings: readonly Reading[] = RULES.map(({ id, rules, strict }) => ({
  name: `${id}, strict: ${strict}`,
  read: (length) => void shapeRoot(twoLists(length), rules, strict),
}))
