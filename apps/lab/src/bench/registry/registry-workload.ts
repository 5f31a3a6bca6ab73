/** The workloads of the `registry` bench: registering and resolving tools. Every requested tool must be returned, and must work. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { callTool, type Tool } from '@x/tool-core'
import { assertWork, type Sample, type Workload } from '../bench.ts'
import { measureOnce } from '../measure/fresh-workload.ts'
import { type ModuleFolder, toolName, toolOutput, toolPath } from './registry-modules.ts'

export interface RegistrySubject {
  /** Imports the subject's generated list and registers the tools by name. */
  register(folder: string): Promise<Catalog>
  /** Registers tools without importing them. Absent if the subject can't import tools on demand. */
  create?(tools: readonly LoadableTool[]): Catalog
}

export interface LoadableTool {
  readonly name: string
  load(): Promise<{ readonly default: Tool }>
}

export interface Catalog {
  readonly size: number
  resolve(names: readonly string[]): Promise<Iterable<Tool>>
}

/** Measures the import of a generated list and its registration by the subject. */
export async function takeRegistration(subject: RegistrySubject, modules: ModuleFolder): Promise<Sample> {
  let catalog: Catalog | undefined
  await settle()
  const sample = await measureOnce(async () => {
    catalog = await subject.register(modules.folder)
  })
  assertWork(catalog?.size === modules.count, `${catalog?.size} tools were registered, not ${modules.count}`)
  const indices = threeOf(modules)
  await assertTools(await catalog.resolve(indices.map(toolName)), indices)
  return sample
}

/** Measures the first resolution in this process. If `state` is `cold`, this includes importing the modules. */
export async function takeFirst(subject: RegistrySubject, modules: ModuleFolder, state: 'cold' | 'warm'): Promise<Sample> {
  const indices = threeOf(modules)
  const catalog = state === 'cold' ? await subject.register(modules.folder) : (await openWarm(subject, modules, indices))()
  const names = indices.map(toolName)
  let tools: Iterable<Tool> = []
  await settle()
  const sample = await measureOnce(async () => {
    tools = await catalog.resolve(names)
  })
  await assertTools(tools, indices)
  return sample
}

/**
 * Measures sequential resolutions of three tools each, by `agents` agents at a time. The code is warmed up, but the catalog hasn't resolved
 * these tools before.
 */
export async function takeWarm(subject: RegistrySubject, modules: ModuleFolder, agents: number): Promise<Sample> {
  const turns = turnsOf(modules, Math.ceil(MOST_RESOLUTIONS / agents))
  const create = await openWarm(subject, modules, turns.flat())
  let sample: Sample | undefined
  for (let batch = 0; batch <= WARM_UP_BATCHES; batch++) sample = await takeBatch(create(), turns, agents)
  return sample as Sample
}

/** Creates a workload that resolves the same three tools repeatedly. */
export async function openLookUp(subject: RegistrySubject, modules: ModuleFolder): Promise<Workload> {
  const catalog = await subject.register(modules.folder)
  const indices = threeOf(modules)
  const names = indices.map(toolName)
  return {
    units: LOOK_UPS,
    verify: async () => assertTools(await catalog.resolve(names), indices),
    async run() {
      let tools: Iterable<Tool> = []
      for (let left = LOOK_UPS; left > 0; left--) tools = await catalog.resolve(names)
      assertNames(tools, names)
    },
  }
}

/** Number of batches after which the engine has compiled the code. */
const WARM_UP_BATCHES = 12
/** Maximum number of resolutions per batch. A batch takes about 10 ms. */
const MOST_RESOLUTIONS = 300
const LOOK_UPS = 100

/** Imports the modules of these tools. Returns a function that creates a catalog with all tools registered and none resolved. */
async function openWarm(
  subject: RegistrySubject,
  { folder, count }: ModuleFolder,
  indices: readonly number[],
): Promise<() => Catalog> {
  const { create } = subject
  if (create === undefined) throw new Error("This subject can't import tools on demand.")
  const tools = Array.from({ length: count }, (_, index): LoadableTool => {
    const { href } = pathToFileURL(join(folder, toolPath(index)))
    return { name: toolName(index), load: () => import(href) }
  })
  for (const index of indices) await tools[index]?.load()
  return () => create(tools)
}

async function takeBatch(catalog: Catalog, turns: readonly Indices[], agents: number): Promise<Sample> {
  const names = turns.map((indices) => indices.map(toolName))
  const everyAgent = Array.from({ length: agents })
  const resolved: (readonly Iterable<Tool>[])[] = []
  await settle()
  const { cpu, wall } = await measureOnce(async () => {
    for (const three of names) resolved.push(await Promise.all(everyAgent.map(() => catalog.resolve(three))))
  })
  assertWork(resolved.length === turns.length, `${resolved.length} of ${turns.length} resolutions were made`)
  for (const [turn, ofAgents] of resolved.entries()) {
    for (const tools of ofAgents) assertNames(tools, names[turn] as readonly string[])
  }
  await assertTools(await catalog.resolve(names[0] as readonly string[]), turns[0] as Indices)
  return { cpu: cpu / turns.length, wall: wall / turns.length }
}

const SETTLE_MS = 20

/**
 * Waits until earlier work can't affect the measurement: collects its garbage, and lets background threads finish collecting and compiling.
 */
async function settle(): Promise<void> {
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  await setTimeout(SETTLE_MS)
}

type Indices = readonly number[]

function threeOf({ count }: ModuleFolder): Indices {
  return [0, Math.floor(count / 2), count - 1]
}

/** Returns three distinct tools for each turn, spread evenly over the catalog. */
function turnsOf({ count }: ModuleFolder, most: number): readonly Indices[] {
  const turns = Math.min(most, Math.floor(count / 3))
  const stride = Math.floor(count / (turns * 3))
  return Array.from({ length: turns }, (_, turn) => [0, 1, 2].map((place) => (turn * 3 + place) * stride))
}

/** Verifies that the right tools were returned in the requested order, and that they all work. */
async function assertTools(tools: Iterable<Tool>, indices: Indices): Promise<void> {
  const list = [...tools]
  assertNames(list, indices.map(toolName))
  const args = { query: 'x', limit: 1 }
  for (const [place, index] of indices.entries()) {
    const result = await callTool(list[place] as Tool, { id: 'call_1', name: toolName(index), args })
    const found = JSON.stringify(result.ok ? result.output : result.error)
    assertWork(result.ok && isDeepStrictEqual(result.output, toolOutput(index, args)), `${toolName(index)} returned ${found}`)
  }
}

function assertNames(tools: Iterable<Tool>, expected: readonly string[]): void {
  const names = Array.from(tools, (tool) => tool?.name)
  assertWork(isDeepStrictEqual(names, expected), `requested ${expected.join(', ')}, got ${names.join(', ')}`)
}
