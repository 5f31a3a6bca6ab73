/** Resolves names and patterns to tools. Resolves everything concurrently, and reports all failures together. */
import { isTool, type Tool, type ToolMap } from '@x/tool-core'
import type { NamedEntry } from '../entries.ts'
import { describeThrown, LoadError, type ResolutionFailure, ToolResolutionError } from '../errors.ts'
import { holdTo } from '../load/deadline.ts'
import { createConfigured, isToolFactory } from '../load/factory.ts'
import { isLazy, LazyModule, type LazyTool, type LoadOptions } from '../load/lazy.ts'
import type { Waiting } from '../load/waits.ts'
import { namesMatching } from '../names/reference.ts'
import { completed, type FoundFailure, failuresOf } from './found-failures.ts'
import { gather, type OnLoad, type Outcome, type Pending } from './gathering.ts'
import type { Place } from './place.ts'

/** Reported after each import, with the times spent in the loader and in the registry. */
export interface ResolveEvent {
  /** The tool's own name, even if a reference renames it. For a toolset, the toolset's name. */
  readonly name: string
  /** Time in the loader, in milliseconds. */
  readonly loadMs: number
  /** Time in the registry, in milliseconds. */
  readonly overheadMs: number
}

export interface ResolutionContext {
  /** The places to search, in this order. */
  readonly places: readonly Place[]
  readonly loadTimeoutMs: number
  readonly onResolve?: ((event: ResolveEvent) => void) | undefined
  readonly onLoad?: OnLoad | undefined
}

/** The agent or the loader that the tools are resolved for. */
export interface Asker {
  readonly agent?: string | undefined
  readonly loader?: Waiting | undefined
}

export interface Settled {
  readonly tools: readonly Tool[]
  /** The failures, in the order of the request. */
  readonly failures: readonly ResolutionFailure[]
}

/**
 * Returns the tools that match the patterns, or all tools if the list is empty. Rejects with one `ToolResolutionError` that lists all
 * failures.
 */
export async function resolveAll(context: ResolutionContext, patterns: readonly string[], asker: Asker = {}): Promise<ToolMap> {
  const { tools, failures } = await settleAll(context, patterns, asker)
  if (failures.length > 0) throw new ToolResolutionError(failures, asker.agent)
  const map = new Map<string, Tool>()
  for (const tool of tools) map.set(tool.name, tool)
  return map
}

/** Like `resolveAll`, but returns the failures instead of rejecting. */
export async function settleAll(
  context: ResolutionContext,
  patterns: readonly string[],
  { loader }: Asker = {},
): Promise<Settled> {
  const running = begin(context, loader)
  const asked: readonly Pattern[] = patterns.length === 0 ? [EVERYTHING] : [...new Set(patterns)]
  const gathered = gather(
    asked.flatMap((pattern) => resolvePattern(running, pattern)),
    running.options,
    context.onLoad,
  )
  const outcomes = gathered instanceof Promise ? await gathered : gathered
  const tools: Tool[] = []
  const failures: FoundFailure[] = []
  for (const outcome of outcomes) {
    if (isTool(outcome)) tools.push(outcome)
    else for (const one of outcome) isTool(one) ? tools.push(one) : failures.push(one)
  }
  emitEvents(running)
  return { tools, failures: completed(context.places, failures, true) }
}

/** A symbol, so that an invalid argument can't select all tools by accident. */
const EVERYTHING: unique symbol = Symbol('everything')

type Pattern = string | typeof EVERYTHING

interface Running {
  readonly context: ResolutionContext
  readonly options: LoadOptions
  readonly events: ResolveEvent[]
}

/** Resolves a pattern. Returns the result without a promise if everything is already loaded. */
function resolvePattern(running: Running, pattern: Pattern): readonly Pending[] {
  try {
    if (typeof pattern !== 'string' && pattern !== EVERYTHING)
      return [[{ code: 'not_found', identifier: describeThrown(pattern) }]]
    const listings = listUnlisted(running, pattern)
    return listings.length === 0 ? resolveNames(running, pattern) : [resolveListed(running, pattern, listings)]
  } catch (error) {
    // Only a resolver's `names()` can have thrown.
    return [failuresOf(pattern === EVERYTHING ? '*' : pattern, error)]
  }
}

async function resolveListed(running: Running, pattern: Pattern, listings: readonly Promise<void>[]): Promise<Outcome> {
  const identifier = pattern === EVERYTHING ? '*' : pattern
  const failures: FoundFailure[] = []
  for (const listed of await Promise.allSettled(listings))
    if (listed.status === 'rejected') failures.push(...failuresOf(identifier, listed.reason))
  if (failures.length > 0 && pattern !== EVERYTHING) return failures
  try {
    return [...failures, ...(await gather(resolveNames(running, pattern), running.options, running.context.onLoad)).flat()]
  } catch (error) {
    return failuresOf(identifier, error)
  }
}

/** Imports the unlisted toolsets that may have a matching tool. For a single name, does so only if no place is sure to have that name. */
function listUnlisted({ context, options, events }: Running, pattern: Pattern): readonly Promise<void>[] {
  const { places, onResolve } = context
  const text = pattern === EVERYTHING ? '*' : pattern
  if (!text.endsWith('*') && places.some((place) => place.isSettled(text))) return []
  const onLoaded = onResolve && ((loadMs: number, name: string) => void events.push({ name, loadMs, overheadMs: 0 }))
  return places.flatMap((place) => place.list(text, { ...options, onLoaded }))
}

/**
 * Returns the names that match a pattern. If no name matches, returns the pattern itself, so that its resolution fails with `not_found`.
 */
function expandPattern({ context: { places } }: Running, pattern: Pattern): readonly string[] {
  if (pattern === EVERYTHING) return [...new Set(places.flatMap((place) => [...place.names()]))]
  if (!pattern.endsWith('*')) return [pattern]
  const names = new Set(places.flatMap((place) => namesMatching(pattern, place.names())))
  return names.size === 0 ? [pattern] : [...names]
}

function resolveNames(running: Running, pattern: Pattern): readonly Pending[] {
  return expandPattern(running, pattern).map((name) => resolveAtHand(running, name) ?? resolveName(running, name))
}

/** Resolves an entry of the first place. This fast path is enough for most agents. */
function resolveAtHand(running: Running, name: string): Pending | undefined {
  const { context, options } = running
  const entry = context.places[0]?.known(name)
  if (entry === undefined || isTool(entry)) return entry
  if (!isLazy(entry)) return undefined
  if (entry.loaded !== undefined) return entry.loaded
  return entry instanceof LazyModule && context.onResolve === undefined && options.asking === undefined
    ? entry
    : loadLazy(running, entry)
}

async function resolveName(running: Running, name: string): Promise<Outcome> {
  try {
    const entry = await findEntry(running.context, name)
    return entry === undefined ? [{ code: 'not_found', identifier: name }] : await resolveFound(running, entry)
  } catch (error) {
    return failuresOf(name, error)
  }
}

async function resolveFound(running: Running, entry: NamedEntry): Promise<Outcome> {
  try {
    if (isTool(entry)) return entry
    if (isLazy(entry)) return await loadLazy(running, entry)
    if (isToolFactory(entry)) return await createConfigured(entry, undefined)
    throw new LoadError('invalid_module', 'The entry is neither a tool nor a lazy() tool.')
  } catch (error) {
    return failuresOf(entry.name, error)
  }
}

/** Loads the tool of an entry. Rejects like `resolveAll`. */
export async function resolveEntry(context: ResolutionContext, entry: NamedEntry): Promise<Tool> {
  const running = begin(context, undefined)
  const [outcome] = [await resolveFound(running, entry)].flat()
  emitEvents(running)
  if (isTool(outcome)) return outcome
  throw new ToolResolutionError(completed(context.places, [outcome as FoundFailure]))
}

/** Loads a lazy tool. Returns failures, and never rejects. */
async function loadLazy(running: Running, entry: LazyTool): Promise<Outcome> {
  const { context, options, events } = running
  const began = context.onResolve && performance.now()
  let loaded: Pick<ResolveEvent, 'name' | 'loadMs'> | undefined
  const onLoaded = (loadMs: number, name: string) => {
    loaded = { name, loadMs }
  }
  try {
    const tool = await entry.load(began === undefined ? options : { ...options, onLoaded })
    context.onLoad?.(entry, tool)
    if (began !== undefined && loaded !== undefined) {
      events.push({ ...loaded, overheadMs: performance.now() - began - loaded.loadMs })
    }
    return tool
  } catch (error) {
    return failuresOf(entry.name, error)
  }
}

/** Returns the entry from the first place that has the name. A resolver gets as much time as a loader. */
async function findEntry({ places, loadTimeoutMs }: ResolutionContext, name: string): Promise<NamedEntry | undefined> {
  for (const place of places) {
    const found = place.find(name)
    const entry = found instanceof Promise ? await holdTo(loadTimeoutMs, found, { subject: 'A resolver' }) : found
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Like `findEntry`, but first imports the unlisted toolsets that may have the name. */
export async function findListed(context: ResolutionContext, name: string, asking?: Waiting): Promise<NamedEntry | undefined> {
  const running = begin(context, asking)
  await Promise.all(listUnlisted(running, name))
  emitEvents(running)
  return findEntry(context, name)
}

function begin(context: ResolutionContext, loader: Waiting | undefined): Running {
  return { context, options: loadOptions(context, loader), events: [] }
}

export function loadOptions(context: ResolutionContext, asking: Waiting | undefined): LoadOptions {
  const { loadTimeoutMs: timeoutMs } = context
  return { timeoutMs, asking, resolve: (patterns, loader) => resolveAll(context, patterns, { loader }) }
}

/** Calls `onResolve` only at the end, so that an error in it isn't mistaken for a failure to load. */
function emitEvents({ context, events }: Running): void {
  if (context.onResolve !== undefined) for (const event of events) context.onResolve(event)
}
