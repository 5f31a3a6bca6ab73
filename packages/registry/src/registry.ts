/** The one list of tools: names known now, modules imported when an agent needs them. */
import { nearestNames, type Tool, type ToolMap, type ToolResolver } from '@x/tool-core'
import { collectEntries, type EntryName, instructionsOf, type NamedEntry, type RegistryEntry } from './entries.ts'
import { describeThrown, LoadError, type ResolutionFailure, ToolResolutionError } from './errors.ts'
import { isLazy, type LazyTool, memoised } from './lazy.ts'
import { type NamePattern, namesMatching } from './pattern.ts'

export interface RegistryOptions {
  /** Shown in errors as the place that was searched. */
  name?: string | undefined
  /** How long one loader may take, in milliseconds; 10,000 unless told. */
  loadTimeoutMs?: number | undefined
}

export interface Registry<Name extends string = string> extends ToolResolver {
  /** In the order of registration. */
  readonly names: readonly Name[]
  has(name: string): boolean
  /** Imports what is lazy and returns the tools that the patterns name, or all. Rejects with {@link ToolResolutionError}. */
  resolve<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): Promise<ToolMap>
  /** A reference to one tool for an agent's list; nothing is imported before the agent is created. */
  tool<const N extends Name>(name: N): LazyTool<N>
  /** References to several tools, to spread into an agent's list. */
  tools<const Patterns extends readonly NamePattern<Name>[]>(...patterns: Patterns): readonly LazyTool<Name>[]
}

/** Creates a registry from tools, toolsets and lazy tools. Throws `RegistryError` when two entries bring the same name. */
export function createRegistry<const Entries extends readonly RegistryEntry[]>(
  entries: Entries,
  { name = 'registry', loadTimeoutMs = 10_000 }: RegistryOptions = {},
): Registry<EntryName<Entries[number]>> {
  const known = collectEntries(entries)
  const context: LoadContext = { known, registry: name, loadTimeoutMs }
  const reference = (tool: string): LazyTool => {
    const { load, ...rest } = memoised(tool, async () => (await resolveAll(context, [tool])).get(tool) as Tool)
    // Held to this registry's own deadline, whoever asks.
    return Object.freeze({ ...rest, load: () => load() })
  }
  const resolver: Registry = {
    names: Object.freeze([...known.keys()]),
    instructions: instructionsOf(entries),
    has: (tool) => known.has(tool),
    resolve: (...patterns) => resolveAll(context, expandPatterns(context, patterns)),
    // An empty list of names is an agent that may use no tool, not one that may use all.
    resolveFor: async (agent, names) =>
      resolveAll(context, names?.length === 0 ? [] : expandPatterns(context, names ?? []), agent),
    tool: (tool) => reference(tool) as never,
    tools: (...patterns) => expandPatterns(context, patterns).map(reference),
  }
  return resolver as unknown as Registry<EntryName<Entries[number]>>
}

interface LoadContext {
  readonly known: ReadonlyMap<string, NamedEntry>
  readonly registry: string
  readonly loadTimeoutMs: number
}

/** A pattern without a match stays as it is, so that it fails as not found. */
function expandPatterns({ known }: LoadContext, patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0) return [...known.keys()]
  const names = patterns.flatMap((pattern) => {
    const matching = namesMatching(pattern, known)
    return matching.length === 0 ? [pattern] : matching
  })
  return [...new Set(names)]
}

/** Loads at once and collects every failure, in the order asked, so that one error tells all. */
async function resolveAll(context: LoadContext, names: readonly string[], agent?: string): Promise<ToolMap> {
  const settled = await Promise.all(
    names.map((name) =>
      load(context, name).then(
        (tool) => ({ tool, failures: [] }),
        (error: unknown) => ({ tool: undefined, failures: toFailures(context, name, error) }),
      ),
    ),
  )
  const failures = settled.flatMap((outcome) => outcome.failures)
  if (failures.length > 0) throw new ToolResolutionError(failures, agent)
  return new Map(settled.flatMap(({ tool }) => (tool === undefined ? [] : [[tool.name, tool]])))
}

async function load(context: LoadContext, name: string): Promise<Tool> {
  const entry = context.known.get(name)
  if (entry === undefined) throw new ToolResolutionError([notFound(context, name)])
  return isLazy(entry) ? entry.load(context.loadTimeoutMs) : entry
}

function notFound(context: LoadContext, identifier: string): ResolutionFailure {
  const suggestions = nearestNames(identifier.replace(/\*$/, ''), context.known.keys())
  return { code: 'not_found', identifier, searched: [describe(context)], suggestions }
}

function toFailures(context: LoadContext, identifier: string, error: unknown): readonly ResolutionFailure[] {
  // A reference to another registry failed there: that registry knows why. (A module may fail to resolve tools of its own.)
  if (error instanceof ToolResolutionError && error.identifier === identifier) return error.failures
  const known = { identifier, searched: [describe(context)], suggestions: [] }
  if (error instanceof LoadError) return [{ ...known, code: error.code, detail: error.message, cause: error.cause }]
  const detail = `Its module threw: ${describeThrown(error)}`
  return [{ ...known, code: 'load_failed', detail, cause: error }]
}

const MAX_LISTED = 20

function describe({ known, registry }: LoadContext): string {
  const names = [...known.keys()]
  const more = names.length > MAX_LISTED ? `, … (${names.length} in all)` : ''
  return `Registry "${registry}": ${names.length === 0 ? 'empty' : names.slice(0, MAX_LISTED).join(', ')}${more}`
}
