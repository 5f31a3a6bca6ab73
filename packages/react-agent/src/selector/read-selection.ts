/** The two texts of a selection, names and arguments, to calls; what does not go together is told. */
import type { ToolMap } from '@x/tool-core'
import { type DraftCall, type DraftDecision, type RejectedCall, reject } from './decision.ts'
import { type ArgumentEntry, type EntryCall, readSelectedArguments } from './selected-arguments.ts'
import { readNames } from './selected-names.ts'

export interface SelectionText {
  readonly selectedTools: string
  readonly toolArguments: string
  /** The model came to its end by itself, as far as the provider says. */
  readonly isWhole: boolean
}

/** More entries for tools that were not selected are counted, not listed. */
const MAX_LISTED = 100

/** Linear in the texts; never throws for what a model wrote. */
export function readSelection(
  { selectedTools, toolArguments, isWhole }: SelectionText,
  tools: ToolMap,
): Omit<DraftDecision, 'reasoning'> {
  const { times, rejected: unknown } = readNames(selectedTools, tools)
  const read = readSelectedArguments(toolArguments, tools, isWhole)
  if (!read.ok) return { calls: [], rejected: [...unknown, ...unreadable(times.keys(), read.message, toolArguments)] }
  const byName = groupByName(read.entries)
  const told = new Set(unknown.map(({ name }) => name))
  const stray = read.entries.find(({ name, isKnown }) => !isKnown && !told.has(name))
  const calls: DraftCall[] = []
  const rejected: RejectedCall[] = [...unknown]
  for (const [name, count] of times) {
    const entries = byName.get(name) ?? []
    if (entries.some(({ isRepeated }) => isRepeated)) {
      rejected.push(reject('repeated', name, repeatedArguments(name), entries.at(-1)?.raw))
      continue
    }
    if (stray && entries.length === 0 && takesArguments(name, tools)) {
      rejected.push(reject('invalid_tool_call_arguments', name, of(name, unclear(stray.name, name)), toolArguments))
      continue
    }
    const made: readonly EntryCall[] = entries.length === 0 ? [NO_ARGUMENTS] : entries.flatMap((entry) => entry.calls)
    for (const call of made) {
      if ('args' in call) calls.push({ id: `call_${calls.length + 1}`, name, args: call.args, tags: call.tags })
    }
    // One for all of them: there may be as many as the text is long.
    const wrong = made.find((call) => 'message' in call)
    if (wrong) rejected.push(reject('invalid_tool_call_arguments', name, of(name, wrong.message), entries[0]?.raw))
    if (count > made.length) rejected.push(reject('repeated', name, repeatedName(name, count, made.length)))
  }
  return { calls, rejected: [...rejected, ...notSelected(read.entries, times, told)] }
}

/** Whether the tool can do without is for its schema to say. */
const NO_ARGUMENTS: EntryCall = { args: {}, tags: [] }

/** A model with one tool in mind may leave its name out, and write only what is meant for it. */
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

/** Nobody knows which arguments were meant for which tool. */
function unreadable(names: Iterable<string>, message: string, raw: string): readonly RejectedCall[] {
  const selected = [...names]
  return (selected.length === 0 ? [''] : selected).map((name) =>
    reject('invalid_tool_call_arguments', name, name === '' ? message : of(name, message), raw),
  )
}

function notSelected(
  entries: readonly ArgumentEntry[],
  times: ReadonlyMap<string, number>,
  told: ReadonlySet<string>,
): readonly RejectedCall[] {
  const left = entries.filter(({ name }) => !times.has(name) && !told.has(name))
  const listed = left.slice(0, MAX_LISTED).map(({ name, isKnown, raw }) => {
    const what = isKnown
      ? `The tool "${name}" has arguments, but was not selected.`
      : `There is no tool ${JSON.stringify(name.slice(0, 100))}, and it was not selected.`
    return reject('not_selected', name, `${what} Name it among the selected tools, or leave its arguments out.`, raw)
  })
  if (left.length <= MAX_LISTED) return listed
  const words = `Arguments were written for ${left.length} tools that were not selected; ${MAX_LISTED} of them are listed.`
  return [...listed, reject('too_many', '', words)]
}

function unclear(stray: string, name: string): string {
  return `It is not clear what ${JSON.stringify(stray.slice(0, 100))} is meant for. Write them under the name of the tool: {"${name}": {...}}.`
}

function of(name: string, message: string): string {
  return `Invalid arguments for "${name}": ${message}`
}

function repeatedArguments(name: string): string {
  return `The arguments of "${name}" were written more than once, so it is not clear which are meant. For several calls write a list of objects.`
}

function repeatedName(name: string, count: number, made: number): string {
  return `"${name}" was named ${count} times, with arguments for ${made}. For several calls write a list of objects as its arguments.`
}
