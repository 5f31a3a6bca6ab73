/** The shape of a text with its expected reading, and the comparator that belongs to it. */
import type { LMResponse } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
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
}

export interface TextReading {
  readonly content?: string | null
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[]
}

/** The differences to the expected reading; none when the text reads so, or as one of the alternatives. */
export function compareText(response: LMResponse, { expected, alternatives = [], checked }: DialectCase): readonly string[] {
  const found = toReading(response)
  const differencesTo = (reading: TextReading) => checked.flatMap((part) => comparePart(part, reading, found))
  return alternatives.some((reading) => differencesTo(reading).length === 0) ? [] : differencesTo(expected)
}

function toReading({ text, toolCalls }: LMResponse): TextReading {
  const calls = toolCalls.map((call) => {
    const parsed = parseArguments(call.arguments, { complete: !call.truncated })
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
