/**
 * Writes BFCL's expected calls in a dialect and parses them again. The parsed calls must be unchanged, and the checker must accept them.
 */
import type { RawToolCall } from '@x/adapters'
import { parseArguments } from '@x/adapters/arguments'
import type { Dialect, FormatRefusal } from '@x/adapters/dialects'
import type { ToolSpec } from '@x/tool-core'
import type { BFCLCase, BFCLChecker, BFCLFunction } from '../bfcl/bfcl-case.ts'
import { isSameValue } from '../same-value.ts'
import { convertBFCL } from '../shaping/shaping-bfcl.ts'
import type { Verdict } from '../verdict.ts'

export interface WrittenVerdict extends Verdict {
  /** Why the dialect can't write these calls. */
  readonly refused?: FormatRefusal['code']
}

/** A case with its expected calls, ready to be written. Built once for all dialects. */
export interface TrueTurn {
  readonly id: string
  readonly category: string
  readonly functions: readonly BFCLFunction[]
  readonly tools: readonly ToolSpec[]
  readonly truth: readonly unknown[]
  readonly calls: readonly RawToolCall[]
}

/**
 * Returns the cases that expect calls. Leaves out flagged cases, for which the leaderboard's checker either accepts no answer at all or
 * accepts an invalid one.
 */
export function trueTurns(cases: readonly BFCLCase[], documents: ReadonlyMap<string, BFCLFunction>): readonly TrueTurn[] {
  return cases.flatMap((bfclCase): TrueTurn[] => {
    const { id, category, expect, ground_truth: truth = [], flags = [] } = bfclCase
    if (expect !== 'calls' || flags.length > 0) return []
    const functions = bfclCase.tools.flatMap((tool) => documents.get(tool) ?? [])
    const calls = (truth as readonly TrueCall[]).map(({ name, args }, index) => {
      return { id: `call_${index}`, name, arguments: JSON.stringify(toArgs(args)) }
    })
    return [{ id, category, functions, tools: functions.map(toTool), truth, calls }]
  })
}

/** Converts a function to a tool with JSON Schema types instead of those of Python, Java and JavaScript. */
function toTool({ name, description, parameters }: BFCLFunction): ToolSpec {
  return { type: 'function', function: { name, description, parameters: convertBFCL(parameters).schema } }
}

interface TrueCall {
  readonly name: string
  readonly args: Readonly<Record<string, readonly unknown[]>>
}

/** Takes the first accepted value of each argument. An empty string means that the argument is omitted. */
function toArgs(args: TrueCall['args']): Record<string, unknown> {
  const chosen = Object.entries(args).filter(([, accepted]) => accepted.length > 0 && accepted[0] !== '')
  return Object.fromEntries(chosen.map(([key, accepted]) => [key, toValue(accepted[0])]))
}

/** Returns the first accepted value. In an accepted object, each member has its own list of accepted values. */
function toValue(accepted: unknown): unknown {
  if (Array.isArray(accepted)) return accepted.map(toValue)
  if (typeof accepted !== 'object' || accepted === null) return accepted
  return toArgs(accepted as TrueCall['args'])
}

export function checkWritten(turn: TrueTurn, dialect: Dialect, checker: BFCLChecker): WrittenVerdict {
  const { id, calls, tools } = turn
  const formatted = dialect.formatCalls(calls, { tools })
  const verdict = { id: `${dialect.name}/${id}`, group: dialect.name }
  if (!formatted.ok) return { ...verdict, outcome: 'skipped', faults: [], refused: formatted.code }
  const read = toValues(dialect.parse(formatted.text, { tools }).toolCalls)
  const written = toValues(calls)
  if (!isSameValue(read, written)) {
    const faults = [`read ${JSON.stringify(read)} of ${JSON.stringify(formatted.text)}`]
    return { ...verdict, outcome: 'failed', faults }
  }
  const isRight = isAccepted(turn, read, checker)
  return { ...verdict, outcome: isRight ? 'passed' : 'failed', faults: isRight ? [] : ['the checker does not accept the calls'] }
}

interface ReadCall {
  readonly name: string
  readonly args: unknown
}

function toValues(calls: readonly RawToolCall[]): readonly ReadCall[] {
  return calls.map(({ name, arguments: text }) => {
    const parsed = parseArguments(text)
    return { name, args: parsed.ok ? parsed.value : parsed.code }
  })
}

/** Applies the checker only to Python categories. Calls in Java and JavaScript are always accepted. */
function isAccepted({ category, functions, truth }: TrueTurn, calls: readonly ReadCall[], checker: BFCLChecker): boolean {
  return /java/.test(category) || checker.check(functions, calls, truth, category).valid
}
