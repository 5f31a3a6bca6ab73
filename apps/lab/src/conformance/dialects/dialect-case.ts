/** The type of a dialect case, and the comparison of a reading with the expected one. */
import { parseArguments } from '@x/adapters/arguments'
import type { DialectReading } from '@x/adapters/dialects'
import type { ToolSpec } from '@x/tool-core'
import { difference } from '../compare.ts'

export interface DialectCase {
  readonly id: string
  /** Dialect name, from the name of the case's file. */
  readonly dialect: string
  readonly text: string
  readonly chunks?: readonly string[]
  readonly expected: TextReading
  /** Other correct readings. */
  readonly alternatives?: readonly TextReading[]
  /** The parts of the reading to compare. */
  readonly checked: readonly string[]
  readonly tags?: readonly string[]
  /** Tools in OpenAI's form, or only their functions. If absent, any name is a tool. If empty, no name is a tool. */
  readonly tools?: readonly CaseTool[]
}

interface CaseFunction {
  readonly name: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}
export type CaseTool = CaseFunction | { readonly function: CaseFunction }

export function toToolSpec(tool: CaseTool): ToolSpec {
  const { name, description = '', parameters = {} } = 'function' in tool ? tool.function : tool
  return { type: 'function', function: { name, description, parameters } }
}

export interface TextReading {
  readonly content?: string | null
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[]
}

/** Returns the differences from the expected reading. Returns an empty list if the response matches that reading or an alternative. */
export function compareText(response: DialectReading, { expected, alternatives = [], checked }: DialectCase): readonly string[] {
  const found = toReading(response)
  const differencesTo = (reading: TextReading) => checked.flatMap((part) => comparePart(part, reading, found))
  return alternatives.some((reading) => differencesTo(reading).length === 0) ? [] : differencesTo(expected)
}

/** Includes a truncated call as far as it was parsed: the corpus defines what is parsed, not which calls may run. */
function toReading({ text, toolCalls }: DialectReading): TextReading {
  const calls = toolCalls.map((call) => {
    const parsed = parseArguments(call.arguments)
    return { name: call.name, arguments: parsed.ok ? parsed.value : parsed.code }
  })
  return { content: text, tool_calls: calls }
}

/** Compares one part. Missing content counts as empty, and surrounding white space is ignored. */
function comparePart(part: string, expected: TextReading, found: TextReading): readonly string[] {
  const view = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined
  return view === undefined ? [`cannot check "${part}"`] : difference(part, view(expected), view(found))
}

const PARTS: Readonly<Record<string, (reading: TextReading) => unknown>> = {
  content: ({ content }) => (content ?? '').trim(),
  count: ({ tool_calls: calls = [] }) => calls.length,
  name: ({ tool_calls: calls = [] }) => calls.map(({ name }) => name),
  arguments: ({ tool_calls: calls = [] }) => calls.map((call) => call.arguments),
}
