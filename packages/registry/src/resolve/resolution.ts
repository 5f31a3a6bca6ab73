/** From names and patterns to tools: everything is looked for at once, and every failure is told. */
import { isTool, type Tool, type ToolMap } from '@x/tool-core'
import type { NamedEntry } from '../entries.ts'
import { describeThrown, LoadError, type ResolutionFailure, ToolResolutionError } from '../errors.ts'
import { holdTo } from '../load/deadline.ts'
import { createConfigured, isToolFactory } from '../load/factory.ts'
import { isLazy, LazyModule, type LazyTool, type LoadOptions } from '../load/lazy.ts'
import type { Waiting } from '../load/waits.ts'
import { namesMatching } from '../names/reference.ts'
import { gather, type OnLoad, type Outcome, type Pending } from './gathering.ts'
import type { Place } from './place.ts'
import { completed, type FoundFailure, failuresOf } from './resolution-failures.ts'

/** One import. What its loader took is apart from what the registry added. */
export interface ResolveEvent {
  /** What was imported: the tool under its own name, whatever a reference calls it, or the toolset that brought it. */
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
  readonly onLoad?: OnLoad | undefined
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
  const map = new Map<string, Tool>()
  for (const tool of tools) map.set(tool.name, tool)
  return map
}

/** The same, what failed beside what did not. */
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
  tell(running)
  return { tools, failures: completed(context.places, failures, true) }
}

/** No pattern that anybody can write: what is not given by mistake is not everything. */
const EVERYTHING: unique symbol = Symbol('everything')

type Pattern = string | typeof EVERYTHING

interface Running {
  readonly context: ResolutionContext
  readonly options: LoadOptions
  readonly events: ResolveEvent[]
}

/** At once where everything is there. */
function resolvePattern(running: Running, pattern: Pattern): readonly Pending[] {
  try {
    if (typeof pattern !== 'string' && pattern !== EVERYTHING)
      return [[{ code: 'not_found', identifier: describeThrown(pattern) }]]
    const listing = listUnlisted(running, pattern)
    if (listing === undefined) return resolveNames(running, pattern)
    return [resolveListed(running, pattern, listing)]
  } catch (error) {
    // A resolver that cannot say which names it knows.
    return [failuresOf(pattern === EVERYTHING ? '*' : pattern, error)]
  }
}

async function resolveListed(running: Running, pattern: Pattern, listing: Promise<unknown>): Promise<Outcome> {
  try {
    await listing
    return (await gather(resolveNames(running, pattern), running.options, running.context.onLoad)).flat()
  } catch (error) {
    return failuresOf(pattern === EVERYTHING ? '*' : pattern, error)
  }
}

/** A toolset is imported for a name only where no list has it. */
function listUnlisted({ context, options, events }: Running, pattern: Pattern): Promise<unknown> | undefined {
  const { places, onResolve } = context
  const text = pattern === EVERYTHING ? '*' : pattern
  if (!text.endsWith('*') && places.some((place) => place.nameOf(text) !== undefined)) return undefined
  const onLoaded = onResolve && ((loadMs: number, name: string) => void events.push({ name, loadMs, overheadMs: 0 }))
  const listings = places.flatMap((place) => place.list(text, { ...options, onLoaded }) ?? [])
  return listings.length === 0 ? undefined : Promise.all(listings)
}

/** A pattern without a match stays as it is, so that it fails as not found. */
function expandPattern({ context: { places } }: Running, pattern: Pattern): readonly string[] {
  if (pattern === EVERYTHING) return [...new Set(places.flatMap((place) => [...place.names()]))]
  if (!pattern.endsWith('*')) return [pattern]
  const names = new Set(places.flatMap((place) => namesMatching(pattern, place.names())))
  return names.size === 0 ? [pattern] : [...names]
}

function resolveNames(running: Running, pattern: Pattern): readonly Pending[] {
  return expandPattern(running, pattern).map((name) => resolveAtHand(running, name) ?? resolveName(running, name))
}

/** By the shortest way, where the first place has it: most agents wait for nothing else. */
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
    throw new LoadError('invalid_module', 'What was found is no tool and no lazy() tool.')
  } catch (error) {
    return failuresOf(entry.name, error)
  }
}

/** The tool of an entry that was found already. Rejects as `resolveAll` of its name. */
export async function resolveEntry(context: ResolutionContext, entry: NamedEntry): Promise<Tool> {
  const running = begin(context, undefined)
  const [outcome] = [await resolveFound(running, entry)].flat()
  tell(running)
  if (isTool(outcome)) return outcome
  throw new ToolResolutionError(completed(context.places, [outcome as FoundFailure]))
}

/** Never rejects. */
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

/** The first place that has it wins. A resolver is held to the deadline of a loader. */
export async function findEntry({ places, loadTimeoutMs }: ResolutionContext, name: string): Promise<NamedEntry | undefined> {
  for (const place of places) {
    const found = place.find(name)
    const entry = found instanceof Promise ? await holdTo(loadTimeoutMs, found, 'A resolver') : found
    if (entry !== undefined) return entry
  }
  return undefined
}

/** The same, with the toolsets that may bring it and were not imported yet. */
export async function findListed(context: ResolutionContext, name: string): Promise<NamedEntry | undefined> {
  const running = begin(context, undefined)
  const listing = listUnlisted(running, name)
  if (listing !== undefined) await listing
  tell(running)
  return findEntry(context, name)
}

function begin(context: ResolutionContext, loader: Waiting | undefined): Running {
  return { context, options: loadOptions(context, loader), events: [] }
}

export function loadOptions(context: ResolutionContext, asking: Waiting | undefined): LoadOptions {
  const { loadTimeoutMs: timeoutMs } = context
  return { timeoutMs, asking, resolve: (patterns, loader) => resolveAll(context, patterns, { loader }) }
}

/** At the end, where what it throws is no failure to load. */
function tell({ context, events }: Running): void {
  if (context.onResolve !== undefined) for (const event of events) context.onResolve(event)
}
