/** A JSON object that maps tool names to their arguments, as a model wrote it: one object for a call, a list for several calls. */
import { parseArguments, type RecoveryTag, recoverJson } from '@x/adapters/arguments'
import type { ToolMap } from '@x/tool-core'
import { isRecord } from '../json.ts'
import { repeatedKeys } from './repeated-keys.ts'
import { findTool, isNone } from './selected-names.ts'

export type SelectedArguments =
  | { readonly ok: true; readonly entries: readonly ArgumentEntry[] }
  | { readonly ok: false; readonly message: string }

/** What the text has for one name. */
export interface ArgumentEntry {
  /** The tool's name, or what stands in its place when no tool has that name. */
  readonly name: string
  readonly isKnown: boolean
  /** Written more than once, so that all but the last are lost. */
  readonly isRepeated: boolean
  /** For each call its arguments, or what is wrong with them. */
  readonly calls: readonly EntryCall[]
  readonly raw: string
}

export type EntryCall =
  | { readonly args: Readonly<Record<string, unknown>>; readonly tags: readonly RecoveryTag[] }
  | { readonly message: string }

/** Never throws. `isWhole` says that the model came to its end: only then may brackets that are open be closed for it. */
export function readSelectedArguments(text: string, tools: ToolMap, isWhole: boolean): SelectedArguments {
  if (text.trim() === '' || isNone(text)) return { ok: true, entries: [] }
  const parsed = recoverJson(text, { maxLength: MAX_LENGTH, ...(isWhole && { complete: true }) })
  if (!parsed.ok) return { ok: false, message: parsed.message }
  if (parsed.tags.includes('missing_close') && !isWhole) return { ok: false, message: CUT_OFF }
  const { value, tags } = parsed
  if (value === null || (Array.isArray(value) && value.length === 0)) return { ok: true, entries: [] }
  if (!isRecord(value)) return { ok: false, message: 'The arguments are no object that maps tool names to arguments.' }
  const repeated = repeatedKeys(text)
  return { ok: true, entries: Object.entries(value).map(([key, given]) => toEntry(key, given, tools, tags, repeated.has(key))) }
}

/** No selection is longer; what is, is refused before it is read. */
const MAX_LENGTH = 1024 * 1024

const CUT_OFF = 'The arguments were cut off. Write them again, shorter if need be.'

function toEntry(key: string, given: unknown, tools: ToolMap, tags: readonly RecoveryTag[], isRepeated: boolean): ArgumentEntry {
  const name = findTool(key, tools)
  const values = Array.isArray(given) && given.length > 0 ? given : [given]
  const calls = values.map((value) => toCall(value, tags))
  return { name: name ?? key, isKnown: name !== undefined, isRepeated, calls, raw: JSON.stringify(given) }
}

function toCall(value: unknown, tags: readonly RecoveryTag[]): EntryCall {
  if (value === null) return { args: {}, tags: [...tags, 'empty'] }
  if (isRecord(value)) return { args: value, tags }
  if (typeof value !== 'string') return { message: 'The arguments are no object. Write one JSON object, or a list of them.' }
  const parsed = parseArguments(value)
  return parsed.ok ? { args: parsed.value, tags: [...new Set([...tags, 'double_encoded' as const, ...parsed.tags])] } : parsed
}
