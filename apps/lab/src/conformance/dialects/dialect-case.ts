/** The type of a dialect case, with its expected reading, and its comparator. */
import { parseArguments } from '@x/adapters/arguments'
import type { DialectReading } from '@x/adapters/dialects'
import type { ToolSpec } from '@x/tool-core'
import { difference } from '../compare.ts'

export interface DialectCase {
  readonly id: string
  /** The name of its file. */
  readonly dialect: string
  readonly text: string
  readonly chunks?: readonly string[]
  readonly expected: TextReading
  /** Other correct readings. */
  readonly alternatives?: readonly TextReading[]
  /** The parts of the reading that are asserted. */
  readonly checked: readonly string[]
  readonly tags?: readonly string[]
  /** Tools in OpenAI's form, or only their functions. Absent: any name is a tool. Empty: no name is. */
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

/** Returns the differences from the expected reading. Empty when the reading is the expected one or an alternative. */
export function compareText(response: DialectReading, { expected, alternatives = [], checked }: DialectCase): readonly string[] {
  const found = toReading(response)
  const differencesTo = (reading: TextReading) => checked.flatMap((part) => comparePart(part, reading, found))
  return alternatives.some((reading) => differencesTo(reading).length === 0) ? [] : differencesTo(expected)
}

/** Compares a truncated call as far as it goes: the corpus defines what is parsed, not what may run. */
function toReading({ text, toolCalls }: DialectReading): TextReading {
  const calls = toolCalls.map((call) => {
    const parsed = parseArguments(call.arguments)
    return { name: call.name, arguments: parsed.ok ? parsed.value : parsed.code }
  })
  return { content: text, tool_calls: calls }
}

/** Missing and empty content are equal, and surrounding white space isn't compared. */
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
