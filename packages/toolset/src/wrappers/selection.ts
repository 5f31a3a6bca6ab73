/** Selects tools of a source by name or by a predicate. */
import { nearestNames, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { shown } from '../option.ts'
import type { SourceName, SourceTool } from './source.ts'

/** Selects a tool by returning true. Must be synchronous. A promise would count as true, so it is refused. */
export type ToolPredicate<Source extends ToolSource> = (tool: SourceTool<Source>) => boolean

/** Tool names, or a predicate. Each listing calls the predicate for every tool. */
export type Selection<Source extends ToolSource> = readonly SourceName<Source>[] | ToolPredicate<Source>

/** Returns a function that selects tools from a list. That function throws `invalid_definition` for a name that isn't in the list. */
export function toSelector(wrapper: string, selection: unknown): (tools: readonly Tool[]) => ReadonlySet<Tool> {
  if (typeof selection === 'function') {
    return (tools) => new Set(tools.filter((tool) => answer(wrapper, tool, selection(tool))))
  }
  if (!Array.isArray(selection)) {
    throw new ToolError(
      'invalid_definition',
      `${wrapper}: pass a list of tool names, or a function that returns true or false, got ${shown(selection)}.`,
    )
  }
  const names = new Set<string>(selection)
  return (tools) => {
    assertKnownNames(wrapper, names, tools)
    return new Set(tools.filter(({ name }) => names.has(name)))
  }
}

/** Throws `invalid_definition` for the first unknown name. The message contains the nearest names, or else the first names in the list. */
export function assertKnownNames(wrapper: string, names: Iterable<unknown>, tools: readonly Tool[]): void {
  const known = new Set<unknown>(tools.map(({ name }) => name))
  for (const name of names) {
    if (known.has(name)) continue
    const nearest = nearestNames(String(name), known as Set<string>)
    const hint =
      nearest.length > 0
        ? `Did you mean ${nearest.map((near) => JSON.stringify(near)).join(' or ')}?`
        : `Its tools: ${[...known].slice(0, MAX_LISTED).join(', ')}${known.size > MAX_LISTED ? ', …' : '.'}`
    throw new ToolError('invalid_definition', `${wrapper}: the source has no tool ${JSON.stringify(name)}. ${hint}`)
  }
}

const MAX_LISTED = 20

function answer(wrapper: string, { name }: Tool, given: unknown): boolean {
  if (typeof given === 'boolean') return given
  throw new ToolError(
    'invalid_definition',
    `${wrapper}: the function must return true or false. For "${name}" it returned ${shown(given)}.`,
  )
}
