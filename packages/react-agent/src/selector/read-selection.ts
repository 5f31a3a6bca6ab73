/** Converts the names and arguments in a model's selection to calls. Names and arguments that don't match are rejected. */
import type { ToolMap } from '@x/tool-core'
import {
  invalidArguments,
  notSelected,
  repeatedArguments,
  repeatedName,
  tooManyNotSelected,
  unclearArguments,
  unknownNotSelected,
} from '../prompts.ts'
import { type DraftCall, type DraftDecision, type RejectedCall, reject } from './decision.ts'
import { type ArgumentEntry, type EntryCall, readSelectedArguments } from './selected-arguments.ts'
import { readNames } from './selected-names.ts'

export interface SelectionText {
  readonly selectedTools: string
  readonly toolArguments: string
  /** True if the provider reports that the reply is complete. */
  readonly isWhole: boolean
}

/** Maximum number of listed entries for tools that weren't selected. Further entries are only counted. */
const MAX_LISTED = 100

/** Reads a selection in linear time. Never throws for text from a model. */
export function readSelection(
  { selectedTools, toolArguments, isWhole }: SelectionText,
  tools: ToolMap,
): Omit<DraftDecision, 'reasoning'> {
  const { times, rejected: unknown } = readNames(selectedTools, tools)
  const read = readSelectedArguments(toolArguments, tools, isWhole)
  if (!read.ok) return { calls: [], rejected: [...unknown, ...unreadable(times.keys(), read.message, toolArguments)] }
  const byName = groupByName(read.entries)
  const reported = new Set(unknown.map(({ name }) => name))
  const stray = read.entries.find(({ name, isKnown }) => !isKnown && !reported.has(name))
  const calls: DraftCall[] = []
  const rejected: RejectedCall[] = [...unknown]
  for (const [name, count] of times) {
    const entries = byName.get(name) ?? []
    if (entries.some(({ isRepeated }) => isRepeated)) {
      rejected.push(reject('repeated', name, repeatedArguments(name), entries.at(-1)?.raw))
      continue
    }
    if (stray && entries.length === 0 && takesArguments(name, tools)) {
      const message = invalidArguments(name, unclearArguments(stray.name, name))
      rejected.push(reject('invalid_tool_call_arguments', name, message, toolArguments))
      continue
    }
    const made: readonly EntryCall[] = entries.length === 0 ? [NO_ARGUMENTS] : entries.flatMap((entry) => entry.calls)
    for (const call of made) {
      if ('args' in call) calls.push({ id: `call_${calls.length + 1}`, name, args: call.args, tags: call.tags })
    }
    // Reports one error for the whole entry, because there may be very many.
    const wrong = made.find((call) => 'message' in call)
    if (wrong) rejected.push(reject('invalid_tool_call_arguments', name, invalidArguments(name, wrong.message), entries[0]?.raw))
    if (count > made.length) rejected.push(reject('repeated', name, repeatedName(name, count, made.length)))
  }
  return { calls, rejected: [...rejected, ...rejectNotSelected(read.entries, times, reported)] }
}

/** The tool's schema decides whether a call without arguments is valid. */
const NO_ARGUMENTS: EntryCall = { args: {}, tags: [] }

/** Returns true if the tool has arguments. A model that selects one tool may write its arguments without the tool's name. */
function takesArguments(name: string, tools: ToolMap): boolean {
  return (tools.get(name)?.arguments.length ?? 0) > 0
}

function groupByName(entries: readonly ArgumentEntry[]): ReadonlyMap<string, readonly ArgumentEntry[]> {
  const groups = new Map<string, ArgumentEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.name)
    if (group === undefined) groups.set(entry.name, [entry])
    else group.push(entry)
  }
  return groups
}

/** Rejects all selected tools, because it is unknown which arguments belong to which tool. */
function unreadable(names: Iterable<string>, message: string, raw: string): readonly RejectedCall[] {
  const selected = [...names]
  return (selected.length === 0 ? [''] : selected).map((name) =>
    reject('invalid_tool_call_arguments', name, name === '' ? message : invalidArguments(name, message), raw),
  )
}

function rejectNotSelected(
  entries: readonly ArgumentEntry[],
  times: ReadonlyMap<string, number>,
  reported: ReadonlySet<string>,
): readonly RejectedCall[] {
  const left = entries.filter(({ name }) => !times.has(name) && !reported.has(name))
  const listed = left.slice(0, MAX_LISTED).map(({ name, isKnown, raw }) => {
    return reject('not_selected', name, isKnown ? notSelected(name) : unknownNotSelected(name), raw)
  })
  if (left.length <= MAX_LISTED) return listed
  return [...listed, reject('too_many', '', tooManyNotSelected(left.length, MAX_LISTED))]
}
