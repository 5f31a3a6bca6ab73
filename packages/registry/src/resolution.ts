/** From names and patterns to tools: everything is looked for at once, and every failure is told. */
import { isTool, nearestNames, type Tool, type ToolMap } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { describeThrown, LoadError, type ResolutionFailure, ToolResolutionError } from './errors.ts'
import { createConfigured, isToolFactory } from './factory.ts'
import { isLazy, type LazyTool, type LoadOptions } from './lazy.ts'
import { namesMatching } from './pattern.ts'
import type { Place } from './place.ts'
import type { Waiting } from './waits.ts'

/** One tool that was imported. What its loader took is apart from what the registry added. */
export interface ResolveEvent {
  readonly name: string
  /** The loader, in milliseconds. */
  readonly loadMs: number
  /** All the rest, in milliseconds. */
  readonly overheadMs: number
}

export interface ResolutionContext {
  /** In the order in which they are searched. */
  readonly places: readonly Place[]
  readonly loadTimeoutMs: number
  readonly onResolve?: ((event: ResolveEvent) => void) | undefined
  /** Told of every tool that came out of a lazy one. */
  readonly onLoad?: ((entry: LazyTool, tool: Tool) => void) | undefined
}

/** On whose behalf. */
export interface Asker {
  readonly agent?: string | undefined
  readonly loader?: Waiting | undefined
}

/** What no patterns mean. It is not `'*'`, which fails in an empty registry: all of nothing is nothing. */
const EVERYTHING = undefined

/** The tools that the patterns name, or all for none. Rejects with one `ToolResolutionError`, failures in the order asked. */
export async function resolveAll(
  context: ResolutionContext,
  patterns: readonly string[],
  { agent, loader }: Asker = {},
): Promise<ToolMap> {
  const asked = patterns.length === 0 ? [EVERYTHING] : [...new Set(patterns)]
  const found = asked.map((pattern) => resolvePattern(context, pattern, loader))
  const outcomes = found.some((outcome) => outcome instanceof Promise) ? await Promise.all(found) : (found as Outcome[])
  const failures = outcomes.flatMap((outcome) => outcome.failures ?? [])
  if (failures.length > 0) throw new ToolResolutionError(failures, agent)
  const tools = new Map<string, Tool>()
  for (const outcome of outcomes) for (const tool of outcome.tools ?? []) tools.set(tool.name, tool)
  return tools
}

interface Outcome {
  readonly tools?: readonly Tool[]
  readonly failures?: readonly ResolutionFailure[]
}

/** At once where everything is there. */
function resolvePattern(
  context: ResolutionContext,
  pattern: string | undefined,
  loader: Waiting | undefined,
): Outcome | Promise<Outcome> {
  const listing = listUnlisted(context, pattern, loader)
  if (listing === undefined) return resolveNames(context, expandPattern(context, pattern), loader)
  return listing.then(
    () => resolveNames(context, expandPattern(context, pattern), loader),
    (error) => ({ failures: toFailures(context, pattern ?? '*', error) }),
  )
}

function listUnlisted(
  context: ResolutionContext,
  pattern: string | undefined,
  loader: Waiting | undefined,
): Promise<unknown> | undefined {
  const listings = context.places.flatMap((place) => place.list(pattern ?? '*', loadOptions(context, loader)) ?? [])
  return listings.length === 0 ? undefined : Promise.all(listings)
}

/** A pattern without a match stays as it is, so that it fails as not found. */
function expandPattern({ places }: ResolutionContext, pattern: string | undefined): readonly string[] {
  if (pattern === EVERYTHING) return [...new Set(places.flatMap((place) => [...place.names()]))]
  if (!pattern.endsWith('*')) return [pattern]
  const names = new Set(places.flatMap((place) => namesMatching(pattern, place.names())))
  return names.size === 0 ? [pattern] : [...names]
}

function resolveNames(
  context: ResolutionContext,
  names: readonly string[],
  loader: Waiting | undefined,
): Outcome | Promise<Outcome> {
  const found = names.map((name) => toolAtHand(context.places, name) ?? resolveName(context, name, loader))
  if (!found.some((one) => one instanceof Promise)) return { tools: found as Tool[] }
  return Promise.all(found).then((all) => ({
    tools: all.flatMap((one) => (Array.isArray(one) ? [] : [one as Tool])),
    failures: all.flatMap((one) => (Array.isArray(one) ? one : [])),
  }))
}

/** Where the first place has it and it was imported before. */
function toolAtHand([first]: readonly Place[], name: string): Tool | undefined {
  const entry = first?.known(name)
  if (entry === undefined || isTool(entry)) return entry
  return isLazy(entry) ? entry.loaded : undefined
}

async function resolveName(
  context: ResolutionContext,
  name: string,
  loader: Waiting | undefined,
): Promise<Tool | readonly ResolutionFailure[]> {
  try {
    const entry = await findEntry(context.places, name)
    if (entry === undefined) return [notFound(context, name)]
    return isTool(entry) ? entry : await load(context, entry, loader)
  } catch (error) {
    return toFailures(context, name, error)
  }
}

/** The first place that has it wins. */
export async function findEntry(places: readonly Place[], name: string): Promise<NamedEntry | undefined> {
  for (const place of places) {
    const found = place.find(name)
    const entry = found instanceof Promise ? await found : found
    if (entry !== undefined) return entry
  }
  return undefined
}

async function load(context: ResolutionContext, entry: Exclude<NamedEntry, Tool>, loader: Waiting | undefined): Promise<Tool> {
  if (isToolFactory(entry)) return createConfigured(entry, undefined)
  if (!isLazy(entry)) throw new LoadError('invalid_module', 'What was found is no tool and no lazy() tool.')
  return context.onResolve === undefined ? loadLazy(context, entry, loader) : loadTimed(context, entry, loader)
}

async function loadLazy(context: ResolutionContext, entry: LazyTool, loader: Waiting | undefined): Promise<Tool> {
  const tool = await entry.load(loadOptions(context, loader))
  context.onLoad?.(entry, tool)
  return tool
}

async function loadTimed(context: ResolutionContext, entry: LazyTool, loader: Waiting | undefined): Promise<Tool> {
  const start = performance.now()
  let loadMs: number | undefined
  const tool = await entry.load({ ...loadOptions(context, loader), onLoaded: (ms) => (loadMs = ms) })
  context.onLoad?.(entry, tool)
  if (loadMs !== undefined) context.onResolve?.({ name: entry.name, loadMs, overheadMs: performance.now() - start - loadMs })
  return tool
}

export function loadOptions(context: ResolutionContext, asking: Waiting | undefined): LoadOptions {
  const { loadTimeoutMs: timeoutMs } = context
  return { timeoutMs, asking, resolve: (patterns, loader) => resolveAll(context, patterns, { loader }) }
}

export function notFound({ places }: ResolutionContext, identifier: string): ResolutionFailure {
  const names = places.flatMap((place) => [...place.names()])
  return {
    ...emptyFailure(places, identifier),
    code: 'not_found',
    suggestions: nearestNames(identifier.replace(/\*$/, ''), names),
  }
}

export function toFailures({ places }: ResolutionContext, identifier: string, error: unknown): readonly ResolutionFailure[] {
  const failure = emptyFailure(places, identifier)
  if (error instanceof ToolResolutionError) {
    // A reference to another registry failed there: that registry knows why. (A module may fail to resolve tools of its own.)
    if (error.identifier === identifier) return error.failures
    const circle = error.failures.find(({ code }) => code === 'circular')
    if (circle !== undefined) return [{ ...failure, code: 'circular', detail: circle.detail, cause: error }]
  }
  if (error instanceof LoadError) return [{ ...failure, code: error.code, detail: error.message, cause: error.cause }]
  const detail = `Its module threw: ${describeThrown(error)}`
  return [{ ...failure, code: 'load_failed', detail, cause: error }]
}

function emptyFailure(places: readonly Place[], identifier: string): Omit<ResolutionFailure, 'code'> {
  return { identifier, searched: places.map((place) => place.describe()), suggestions: [] }
}
