/** The shape of a text with its expected reading, and the comparator that belongs to it. */
import { parseArguments } from '@x/adapters/arguments'
import type { DialectReading } from '@x/adapters/dialects'
import type { ToolSpec } from '@x/tool-core'
import { difference } from './compare.ts'

export interface DialectCase {
  readonly id: string
  /** The name of its file. */
  readonly dialect: string
  readonly text: string
  readonly chunks?: readonly string[]
  readonly expected: TextReading
  /** Other readings that are right too. */
  readonly alternatives?: readonly TextReading[]
  /** The parts of the reading that are asserted. */
  readonly checked: readonly string[]
  readonly tags?: readonly string[]
  /** In OpenAI's form, or the function alone. Absent: any name is a tool. Empty: none is. */
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

/** The differences to the expected reading; none when the text reads so, or as one of the alternatives. */
export function compareText(response: DialectReading, { expected, alternatives = [], checked }: DialectCase): readonly string[] {
  const found = toReading(response)
  const differencesTo = (reading: TextReading) => checked.flatMap((part) => comparePart(part, reading, found))
  return alternatives.some((reading) => differencesTo(reading).length === 0) ? [] : differencesTo(expected)
}

/** A call that was cut off is compared as far as it came: the corpus says what is read, not what may be run. */
function toReading({ text, toolCalls }: DialectReading): TextReading {
  const calls = toolCalls.map((call) => {
    const parsed = parseArguments(call.arguments)
    return { name: call.name, arguments: parsed.ok ? parsed.value : parsed.code }
  })
  return { content: text, tool_calls: calls }
}

/** No content and empty content are one, and white space around it is not compared. */
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
