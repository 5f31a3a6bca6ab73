/** Builders for the rules of one source. */
import type { Condition, Fate, KeywordRule } from './tool-rules.ts'

export const KEPT: KeywordRule = { becomes: 'kept', source: 'no known restrictions' }

/** One rule for several keywords. */
export function each(keywords: readonly string[], rule: KeywordRule): Record<string, KeywordRule> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, rule]))
}

/** Kept where the condition holds. */
export function keptOnly(only: Condition, otherwise: Fate, source: string): KeywordRule {
  return { becomes: 'kept', only, otherwise, source }
}

export function oneOf(values: readonly unknown[]): Condition {
  return { words: values.join(', '), holds: (value) => values.includes(value) }
}

export function atMost(limit: number): Condition {
  return { words: `at most ${limit}`, holds: (value) => typeof value === 'number' && value <= limit }
}

/** An expression that looks ahead or behind needs an engine that few servers have. */
export const WITHOUT_LOOK_AROUND: Condition = {
  words: 'no lookaround',
  holds: (value) => typeof value === 'string' && !/\(\?<?[=!]/.test(value),
}

export const IS_BOOLEAN: Condition = { words: 'true, false', holds: (value) => typeof value === 'boolean' }
