/** Functions that build rules for keywords. */
import type { Condition, Fate, KeywordRule } from './tool-rules.ts'

export const KEPT: KeywordRule = { becomes: 'kept', source: 'no known restrictions' }

/** Applies one rule to several keywords. */
export function each(keywords: readonly string[], rule: KeywordRule): Record<string, KeywordRule> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, rule]))
}

/** Returns a rule that keeps a keyword if its value meets the condition. Otherwise, `otherwise` applies. */
export function keptOnly(only: Condition, otherwise: Fate, source: string): KeywordRule {
  return { becomes: 'kept', only, otherwise, source }
}

export function oneOf(values: readonly unknown[]): Condition {
  return { words: values.join(', '), holds: (value) => values.includes(value) }
}

export function atMost(limit: number): Condition {
  return { words: `at most ${limit}`, holds: (value) => typeof value === 'number' && value <= limit }
}

/** Accepts patterns without lookahead and lookbehind, which few servers support. */
export const WITHOUT_LOOK_AROUND: Condition = {
  words: 'no lookaround',
  holds: (value) => typeof value === 'string' && !/\(\?<?[=!]/.test(value),
}

export const IS_BOOLEAN: Condition = { words: 'true, false', holds: (value) => typeof value === 'boolean' }
