/** Selects tools of a source by name or by a predicate. */
import { nearestNames, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { shown } from '../option.ts'
import type { Named } from './lazy.ts'
import type { SourceName, SourceTool } from './source.ts'

/** Selects a tool by returning true. Must be synchronous. A promise would count as true, so it is refused. */
export type ToolPredicate<Source extends ToolSource> = (tool: SourceTool<Source>) => boolean

/** Tool names, or a predicate. Each listing calls the predicate for every tool. */
export type Selection<Source extends ToolSource> = readonly SourceName<Source>[] | ToolPredicate<Source>

/** Decides for each tool of a source whether it is selected. */
export interface Selector {
  readonly has: (tool: Tool) => boolean
  /** The selected names. Undefined for a predicate. */
  readonly names?: ReadonlySet<string>
  /** Throws `invalid_definition` for a selected name that isn't in the list. */
  readonly check?: (known: readonly Named[]) => void
}

export function toSelector(wrapper: string, selection: unknown): Selector {
  if (typeof selection === 'function') return { has: (tool) => answer(wrapper, tool, selection(tool)) }
  if (!Array.isArray(selection)) {
    throw new ToolError(
      'invalid_definition',
      `${wrapper}: pass a list of tool names, or a function that returns true or false, got ${shown(selection)}.`,
    )
  }
  const names = new Set<string>(selection)
  return { has: ({ name }) => names.has(name), names, check: (known) => assertKnownNames(wrapper, names, known) }
}

/** Throws `invalid_definition` for the first unknown name, with the nearest names or else the first names of the list. */
export function assertKnownNames(wrapper: string, names: Iterable<unknown>, tools: readonly Named[]): void {
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
