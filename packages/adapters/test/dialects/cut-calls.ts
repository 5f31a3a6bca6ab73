/** Replies with two calls, and the calls that a dialect may find after a part of the text is removed. */
import { parseArguments } from '../../src/arguments/parse.ts'
import type { Dialect, DialectReading } from '../../src/dialects/define/dialect.ts'
import { isRecord } from '../../src/is-record.ts'
import type { RawToolCall } from '../../src/protocol/protocol.ts'
import { FIRST, SECOND, tools } from './two-calls.ts'

const SAME = { id: 'functions.tool_7:1', name: 'tool_7', arguments: '{"city": "betatown", "count": 22}' }

export interface Reply {
  readonly name: string
  readonly dialect: Dialect
  readonly calls: readonly RawToolCall[]
  readonly text: string
}

/** Returns replies with two tools, and with the same tool twice. Excludes dialects that write only one call per turn. */
export function repliesOf(dialects: readonly Dialect[]): readonly Reply[] {
  return dialects.flatMap((dialect) =>
    [SECOND, SAME].flatMap((second) => {
      const calls = [FIRST, second]
      const written = dialect.formatCalls(calls)
      return written.ok
        ? [{ name: `${dialect.name}, ${second === SAME ? 'one tool' : 'two tools'}`, dialect, calls, text: written.text }]
        : []
    }),
  )
}

export interface CutReading {
  /** Calls that would be executed although the reply doesn't contain them. */
  readonly wrong: readonly RawToolCall[]
  /** True if fewer calls would be executed than the reply contains, and nothing is reported. */
  readonly isSilent: boolean
  readonly reading: DialectReading
}

/** Parses a reply from which a part of the text was removed. */
export function readCut({ dialect, calls, text: whole }: Reply, text: string): CutReading {
  const reading = dialect.parse(text, { tools })
  const executed = reading.toolCalls.filter(isExecuted)
  const isReported = reading.malformedCalls !== undefined || executed.length < reading.toolCalls.length
  const originals = new Set(calls.map(keyOf))
  const wrong = executed.filter((call) => !originals.has(keyOf(call)))
  const isSilent = executed.length < calls.length && !isReported && !isAnswer(reading.text)
  if (!isReported && isWritten(dialect, executed, whole, text)) return { wrong: [], isSilent: false, reading }
  return { wrong, isSilent, reading }
}

/** True for a call that an agent would execute. Validation refuses arguments of the wrong type, and unknown tools aren't executed. */
function isExecuted({ name, arguments: json, truncated }: RawToolCall): boolean {
  const args = parseArguments(json)
  const tool = tools.find((other) => other.function.name === name)
  if (truncated === true || !args.ok || tool === undefined || !isRecord(args.value)) return false
  const { properties } = tool.function.parameters as { readonly properties: Readonly<Record<string, { readonly type: string }>> }
  return Object.entries(args.value).every(([key, value]) => {
    const type = Object.hasOwn(properties, key) ? properties[key]?.type : undefined
    return type === undefined || (type === 'integer' ? Number.isInteger(value) : typeof value === type)
  })
}

function keyOf({ name, arguments: json }: RawToolCall): string {
  const args = parseArguments(json)
  return `${name} ${JSON.stringify(args.ok ? args.value : undefined)}`
}

/** True for JSON that names no tool. */
function isAnswer(text: string): boolean {
  try {
    JSON.parse(text.trim().replace(/^[;,]\s*|[;,]$/g, ''))
    return !text.includes('"tool_')
  } catch {
    return false
  }
}

/**
 * True if the text is what the dialect writes for exactly these calls, so that no reader could notice the removal. Also true if only one
 * run of tags or brackets is missing, which servers accept. Each call then has its name, and each value is part of an original one.
 */
function isWritten(dialect: Dialect, executed: readonly RawToolCall[], whole: string, text: string): boolean {
  const again = executed.length === 0 ? undefined : dialect.formatCalls(executed)
  if (!again?.ok) return false
  if (squeezed(again.text) === squeezed(text)) return true
  if (executed.length !== (namesIn(text) * 2) / namesIn(whole)) return false
  return (
    unbracketed(again.text) === unbracketed(text) ||
    (executed.every(isOfParts) && isWithoutRun(squeezed(again.text), squeezed(text)))
  )
}

function squeezed(text: string): string {
  return text.replace(/[\s,]+/g, '')
}

function unbracketed(text: string): string {
  return text.replace(/[\s,{}[\]:()]+/g, '')
}

function namesIn(text: string): number {
  return text.match(/tool_[79]/g)?.length ?? 0
}

function isOfParts({ name, arguments: json }: RawToolCall): boolean {
  const args = parseArguments(json)
  const text = name === 'tool_7' ? 'city' : 'zone'
  const members = Object.entries(args.ok ? args.value : {})
  return members.every(([key, value]) => key === 'count' || (key === text && /^[a-z]*$/.test(String(value))))
}

function isWithoutRun(whole: string, text: string): boolean {
  let start = 0
  let end = 0
  while (start < text.length && whole[start] === text[start]) start++
  while (end < text.length && whole.at(-1 - end) === text.at(-1 - end)) end++
  return whole.length > text.length && start + end >= text.length
}
