/** Escapes control tokens in text that the model didn't write. */
import type { ToolSpec } from '@x/tool-core'
import { isRecord } from '../../is-record.ts'

export type Escape = (text: string) => string

/**
 * Returns a function that replaces the first character of each token with a character reference. A tokenizer then no longer
 * matches the token, but a model can still read it. Other text doesn't change, including text that is already escaped.
 */
export function tokenEscape(tokens: readonly string[]): Escape {
  if (tokens.some((token) => token === '')) throw new TypeError('A control token is empty. Remove it from `controlTokens`.')
  // Created on first use, because most dialects are never used.
  let firsts: RegExp | undefined
  return (text) => {
    firsts ??= firstsOf(tokens)
    return text.replace(firsts, (first) => `&#${first.charCodeAt(0)};`)
  }
}

/** Returns the pattern of the first characters of the tokens. */
function firstsOf(tokens: readonly string[]): RegExp {
  const rests = new Map<string, string[]>()
  for (const token of tokens) {
    const first = token.charAt(0)
    rests.set(first, [...(rests.get(first) ?? []), toPattern(token.slice(1))])
  }
  // Consumes only the first character, because another token may start inside this token.
  const patterns = [...rests].map(([first, ends]) => `${toPattern(first)}(?=${ends.join('|')})`)
  return new RegExp(patterns.join('|') || '(?!)', 'g')
}

function toPattern(text: string): string {
  return text.replace(/[^\w\s]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Escapes control tokens and the tags around the tool list, in all strings and keys of a tool spec. */
export function toHarmlessTool(tool: ToolSpec, toHarmless: Escape): ToolSpec {
  const harmless = (_: string, value: unknown): unknown => {
    if (typeof value === 'string') return toHarmless(value)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [toHarmless(key), member]))
  }
  return JSON.parse(JSON.stringify(tool, harmless)) as ToolSpec
}
