/** Measures registries of many lazy tools, in this process: until they are ready, three resolutions, searches, and memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRegistry, lazy } from '@x/registry'
import { defineTool, type Tool } from '@x/tool-core'
import { Type } from '@x/tool-core/type'
import type { Table } from '../bench.ts'

interface Catalog {
  resolve(names: readonly string[]): Promise<unknown>
  search(query: string): Promise<readonly unknown[]>
}

type Load = () => Promise<{ readonly default: Tool }>

interface Entry {
  readonly name: string
  readonly description: string
  readonly load: Load
}

/** Returns a row for each registry. `bare` is a `Map` of functions, and its search compares names only. */
export async function tabulateScale(counts: readonly number[]): Promise<Table> {
  const rows: (readonly (string | number)[])[] = []
  for (const count of counts) {
    const label = count.toLocaleString('en')
    rows.push([`bare, ${label}`, ...(await measureScale(count, toBare))])
    rows.push([`@x/registry, ${label}`, ...(await measureScale(count, toRegistry))])
    rows.push([`@x/registry with cards, ${label}`, ...(await measureScale(count, toDescribed))])
  }
  const head = ['registry', 'ready ms', 'resolve 3 ms', 'first search ms', 'longest block ms', 'next search ms', 'MiB']
  return { title: 'many lazy tools, CPU time', head, rows }
}

async function measureScale(count: number, create: (entries: readonly Entry[]) => Catalog): Promise<readonly number[]> {
  const entries = Array.from({ length: count }, (_, index) => toEntry(index))
  const before = usedMemory()
  const ready = await watched(async () => create(entries))
  const { resolve, search } = ready.done
  const places = [0, Math.floor(count / 2), count - 1]
  const resolved = await watched(() => resolve(places.map((place) => (entries[place] as Entry).name)))
  const first = await watched(async () => assertFound(await search(`cancel_flight_${places[1]}`)))
  const memory = (usedMemory() - before) / 2 ** 20
  const next = await watched(async () => assertFound(await search('approve refund')))
  return [ready.total, resolved.total, first.total, first.longest, next.total, memory]
}

function toBare(entries: readonly Entry[]): Catalog {
  const byName = new Map(entries.map(({ name, load }) => [name, load]))
  return {
    resolve: (names) => Promise.all(names.map((name) => byName.get(name)?.())),
    search: async (query) => [...byName.keys()].filter((name) => query.split(/[ _]/).some((word) => name.includes(word))),
  }
}

function toRegistry(entries: readonly Entry[]): Catalog {
  const registry = createRegistry(entries.map(({ name, load }) => lazy(name, load)))
  return { resolve: (names) => registry.resolve(...names), search: (query) => registry.search(query) }
}

function toDescribed(entries: readonly Entry[]): Catalog {
  const registry = createRegistry(entries.map(({ name, description, load }) => lazy(name, load, { description })))
  return { resolve: (names) => registry.resolve(...names), search: (query) => registry.search(query) }
}

function toEntry(index: number): Entry {
  const [verb, noun] = [VERBS[index % VERBS.length], NOUNS[Math.floor(index / VERBS.length) % NOUNS.length]]
  const name = `${verb}_${noun}_${index}`
  const description = `To ${verb} the ${noun} with number ${index}, and tell at most the requested number of its details.`
  return {
    name,
    description,
    load: async () => ({ default: defineTool({ name, description, args: Type.Object({}), execute: () => index }) }),
  }
}

const VERBS = ['find', 'create', 'delete', 'update', 'list', 'send', 'cancel', 'approve']
const NOUNS = ['order', 'invoice', 'customer', 'flight', 'ticket', 'report', 'payment', 'refund', 'message', 'shipment']

/** Runs work, and returns its CPU time and that of its longest part between two turns of the event loop, in milliseconds. */
async function watched<Done>(work: () => Promise<Done>): Promise<{ done: Done; total: number; longest: number }> {
  const started = threadMs()
  let last = started
  let longest = 0
  const look = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  let turn = setImmediate(function next() {
    look()
    turn = setImmediate(next)
  })
  const done = await work()
  clearImmediate(turn)
  look()
  return { done, total: last - started, longest }
}

/** CPU time of this thread, so that other programs don't count. Before Node 23.9, the time that has passed. */
function threadMs(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { readonly user: number; readonly system: number } }
  if (threadCpuUsage === undefined) return performance.now()
  const { user, system } = threadCpuUsage.call(process)
  return (user + system) / 1000
}

function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

function assertFound(found: readonly unknown[]): void {
  if (found.length === 0) throw new Error('The search found nothing.')
}
