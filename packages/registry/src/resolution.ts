/** From names and patterns to tools: everything is looked for at once, and every failure is told. */
import { isTool, type Tool, type ToolMap } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { LoadError, type ResolutionFailure, ToolResolutionError } from './errors.ts'
import { createConfigured, isToolFactory } from './factory.ts'
import { isLazy, type LazyTool, type LoadOptions } from './lazy.ts'
import { namesMatching } from './pattern.ts'
import type { Place } from './place.ts'
import { completed, type FoundFailure, failuresOf } from './resolution-failures.ts'
import type { Waiting } from './waits.ts'
import { withTimeout } from './with-timeout.ts'

/** One import. What its loader took is apart from what the registry added. */
export interface ResolveEvent {
  /** Of the tool, or of the toolset that was imported. */
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

export interface Settled {
  readonly tools: readonly Tool[]
  /** In the order asked. */
  readonly failures: readonly ResolutionFailure[]
}

/** The tools that the patterns name, or all for none. Rejects with one `ToolResolutionError` that holds every failure. */
export async function resolveAll(context: ResolutionContext, patterns: readonly string[], asker: Asker = {}): Promise<ToolMap> {
  const { tools, failures } = await settleAll(context, patterns, asker)
  if (failures.length > 0) throw new ToolResolutionError(failures, asker.agent)
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** The same, what failed beside what did not. */
export async function settleAll(
  context: ResolutionContext,
  patterns: readonly string[],
  { loader }: Asker = {},
): Promise<Settled> {
  const events: ResolveEvent[] = []
  const running: Running = { ...context, options: loadOptions(context, loader), events }
  const asked: readonly Pattern[] = patterns.length === 0 ? [EVERYTHING] : [...new Set(patterns)]
  const found = asked.map((pattern) => resolvePattern(running, pattern))
  const outcomes = found.some((outcome) => outcome instanceof Promise) ? await Promise.all(found) : (found as Outcome[])
  const all = outcomes.flat()
  // At the end, where what it throws is no failure to load.
  if (context.onResolve !== undefined) for (const event of events) context.onResolve(event)
  return { tools: all.filter(isTool), failures: completed(context.places, all.filter((one) => !isTool(one)) as FoundFailure[]) }
}

/** No pattern that anybody can write: what is not given by mistake is not everything. */
const EVERYTHING: unique symbol = Symbol('everything')

type Pattern = string | typeof EVERYTHING

interface Running extends ResolutionContext {
  readonly options: LoadOptions
  readonly events: ResolveEvent[]
}

type Outcome = readonly (Tool | FoundFailure)[]

/** At once where everything is there. */
function resolvePattern(running: Running, pattern: Pattern): Outcome | Promise<Outcome> {
  try {
    if (typeof pattern !== 'string' && pattern !== EVERYTHING) return [{ code: 'not_found', identifier: String(pattern) }]
    const listing = listUnlisted(running, pattern)
    if (listing === undefined) return resolveNames(running, expandPattern(running, pattern))
    return listing.then(
      () => resolveNames(running, expandPattern(running, pattern)),
      (error) => failuresOf(pattern === EVERYTHING ? '*' : pattern, error),
    )
  } catch (error) {
    // A resolver that cannot say which names it knows.
    return failuresOf(pattern === EVERYTHING ? '*' : pattern, error)
  }
}

/** A toolset is imported for a name only where no list has it. */
function listUnlisted(running: Running, pattern: Pattern): Promise<unknown> | undefined {
  const { places, options, onResolve, events } = running
  const text = pattern === EVERYTHING ? '*' : pattern
  if (!text.endsWith('*') && places.some((place) => place.nameOf(text) !== undefined)) return undefined
  const listings = places.flatMap((place) => {
    const onLoaded = onResolve && ((name: string, loadMs: number) => events.push({ name, loadMs, overheadMs: 0 }))
    return place.list(text, options, onLoaded) ?? []
  })
  return listings.length === 0 ? undefined : Promise.all(listings)
}

/** A pattern without a match stays as it is, so that it fails as not found. */
function expandPattern({ places }: Running, pattern: Pattern): readonly string[] {
  if (pattern === EVERYTHING) return [...new Set(places.flatMap((place) => [...place.names()]))]
  if (!pattern.endsWith('*')) return [pattern]
  const names = new Set(places.flatMap((place) => namesMatching(pattern, place.names())))
  return names.size === 0 ? [pattern] : [...names]
}

function resolveNames(running: Running, names: readonly string[]): Outcome | Promise<Outcome> {
  const found = names.map((name) => resolveAtHand(running, name) ?? resolveName(running, name))
  return found.some((one) => one instanceof Promise) ? Promise.all(found).then((all) => all.flat()) : (found as Tool[])
}

/** By the shortest way, where the first place has it: most agents wait for nothing else. */
function resolveAtHand(running: Running, name: string): Tool | Promise<Tool | readonly FoundFailure[]> | undefined {
  const entry = running.places[0]?.known(name)
  if (entry === undefined || isTool(entry)) return entry
  if (!isLazy(entry)) return undefined
  return entry.loaded ?? loadLazy(running, entry).catch((error) => failuresOf(name, error))
}

async function resolveName(running: Running, name: string): Promise<Tool | readonly FoundFailure[]> {
  try {
    const entry = await findEntry(running, name)
    if (entry === undefined) return [{ code: 'not_found', identifier: name }]
    return isTool(entry) ? entry : await load(running, entry)
  } catch (error) {
    return failuresOf(name, error)
  }
}

/** The first place that has it wins. A resolver is held to the deadline of a loader. */
export async function findEntry({ places, loadTimeoutMs }: ResolutionContext, name: string): Promise<NamedEntry | undefined> {
  for (const place of places) {
    const found = place.find(name)
    const entry = found instanceof Promise ? await withTimeout(found, loadTimeoutMs, 'A resolver') : found
    if (entry !== undefined) return entry
  }
  return undefined
}

/** The same, with the toolsets that may bring it and were not imported yet. */
export async function findListed(context: ResolutionContext, name: string): Promise<NamedEntry | undefined> {
  const listing = listUnlisted({ ...context, options: loadOptions(context, undefined), events: [] }, name)
  if (listing !== undefined) await listing
  return findEntry(context, name)
}

async function load(running: Running, entry: Exclude<NamedEntry, Tool>): Promise<Tool> {
  if (isToolFactory(entry)) return createConfigured(entry, undefined)
  if (isLazy(entry)) return loadLazy(running, entry)
  throw new LoadError('invalid_module', 'What was found is no tool and no lazy() tool.')
}

function loadLazy(running: Running, entry: LazyTool): Promise<Tool> {
  if (running.onResolve !== undefined) return loadTimed(running, entry)
  return entry.load(running.options).then((tool) => {
    running.onLoad?.(entry, tool)
    return tool
  })
}

async function loadTimed({ options, onLoad, events }: Running, entry: LazyTool): Promise<Tool> {
  const began = performance.now()
  let loadMs: number | undefined
  const tool = await entry.load({ ...options, onLoaded: (ms) => (loadMs = ms) })
  onLoad?.(entry, tool)
  if (loadMs !== undefined) events.push({ name: entry.name, loadMs, overheadMs: performance.now() - began - loadMs })
  return tool
}

export function loadOptions(context: ResolutionContext, asking: Waiting | undefined): LoadOptions {
  const { loadTimeoutMs: timeoutMs } = context
  return { timeoutMs, asking, resolve: (patterns, loader) => resolveAll(context, patterns, { loader }) }
}
