/** Reads a JSON object that maps tool names to arguments: an object for one call, or a list of objects for several. */
import { parseArguments, type RecoveryTag, recoverJson } from '@x/adapters/arguments'
import type { ToolMap } from '@x/tool-core'
import { isRecord } from '../json.ts'
import { NOT_A_MAP, NOT_AN_OBJECT, TRUNCATED_ARGUMENTS } from '../prompts.ts'
import { repeatedKeys } from './repeated-keys.ts'
import { findTool, isNone } from './selected-names.ts'

export type SelectedArguments =
  | { readonly ok: true; readonly entries: readonly ArgumentEntry[] }
  | { readonly ok: false; readonly message: string }

/** The entry for one name. */
export interface ArgumentEntry {
  /** The tool's name, or the key if no tool has that name. */
  readonly name: string
  readonly isKnown: boolean
  /** True if the key appears more than once, so that all values but the last are lost. */
  readonly isRepeated: boolean
  /** The arguments of each call, or an error message. */
  readonly calls: readonly EntryCall[]
  readonly raw: string
}

export type EntryCall =
  | { readonly args: Readonly<Record<string, unknown>>; readonly tags: readonly RecoveryTag[] }
  | { readonly message: string }

/** Reads the arguments. Never throws. Missing closing brackets are added only if `isWhole`, that is, if the reply is complete. */
export function readSelectedArguments(text: string, tools: ToolMap, isWhole: boolean): SelectedArguments {
  if (text.trim() === '' || isNone(text)) return { ok: true, entries: [] }
  const parsed = recoverJson(text, { maxLength: MAX_LENGTH, ...(isWhole && { complete: true }) })
  if (!parsed.ok) return { ok: false, message: parsed.message }
  if (parsed.tags.includes('missing_close') && !isWhole) return { ok: false, message: TRUNCATED_ARGUMENTS }
  const { value, tags } = parsed
  if (value === null || (Array.isArray(value) && value.length === 0)) return { ok: true, entries: [] }
  if (!isRecord(value)) return { ok: false, message: NOT_A_MAP }
  const repeated = repeatedKeys(text)
  return { ok: true, entries: Object.entries(value).map(([key, given]) => toEntry(key, given, tools, tags, repeated.has(key))) }
}

/** Maximum length of the text, in characters. Longer text is refused without being parsed. */
const MAX_LENGTH = 1024 * 1024

function toEntry(key: string, given: unknown, tools: ToolMap, tags: readonly RecoveryTag[], isRepeated: boolean): ArgumentEntry {
  const name = findTool(key, tools)
  const values = Array.isArray(given) && given.length > 0 ? given : [given]
  const calls = values.map((value) => toCall(value, tags))
  return { name: name ?? key, isKnown: name !== undefined, isRepeated, calls, raw: JSON.stringify(given) }
}

function toCall(value: unknown, tags: readonly RecoveryTag[]): EntryCall {
  if (value === null) return { args: {}, tags: [...tags, 'empty'] }
  if (isRecord(value)) return { args: value, tags }
  if (typeof value !== 'string') return { message: NOT_AN_OBJECT }
  const parsed = parseArguments(value)
  return parsed.ok ? { args: parsed.value, tags: [...new Set([...tags, 'double_encoded' as const, ...parsed.tags])] } : parsed
}
