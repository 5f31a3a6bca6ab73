/** The contract of a dialect: how one family of open models writes tools, calls and results in plain text. */
import type { ToolSpec } from '@x/tool-core'
import type { Observation } from '../adapter.ts'
import { DeltaCollector } from '../collect.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../protocol.ts'

/** Reads one response piece by piece. Holds back only what may still become a marker; never throws. */
export interface TextParser {
  push(text: string): readonly LMDelta[]
  /** No more text comes: gives what was held back. */
  end(): readonly LMDelta[]
}

export interface Dialect {
  readonly name: string
  /** The tools as the system prompt shows them, with how to call them. */
  formatTools(tools: readonly ToolSpec[]): string
  /** More tools, for a model that was told how to call; `formatTools` says it again where this is left out. */
  formatMoreTools?(tools: readonly ToolSpec[]): string
  formatCall(call: RawToolCall): string
  formatResult(observation: Observation): string
  parser(): TextParser
}

/** A whole text, read by feeding all of it: there is no second path. Text around calls is trimmed. */
export function parseWith(dialect: Dialect, text: string): Pick<LMResponse, 'text' | 'toolCalls' | 'unreadCalls'> {
  const parser = dialect.parser()
  const collector = new DeltaCollector()
  for (const delta of [...parser.push(text), ...parser.end()]) collector.push(delta)
  const { text: prose, toolCalls, unreadCalls } = collector.response()
  return { text: prose.trim(), toolCalls, ...(unreadCalls && { unreadCalls }) }
}
