/** Three ways to provide many tools: a registry of lazy tools, manual imports on demand, and all tools at once. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRegistry, type LazyTool, lazy } from '@x/registry'
import type { Tool } from '@x/tool-core'
// The generated modules build their schemas with TypeBox. Loading it here keeps it out of the measurement.
import 'typebox'
import { type ListName, listPath } from './registry-modules.ts'
import type { Catalog, LoadableTool, RegistrySubject } from './registry-workload.ts'

export const registry: RegistrySubject = {
  register: async (folder) => ofEntries(await importList<LazyTool>(folder, 'lazy')),
  create: (tools) => ofEntries(tools.map(({ name, load }) => lazy(name, load))),
}

/** The baseline: the minimum code, without validation or a cache. */
export const bareImport: RegistrySubject = {
  register: async (folder) => ofThunks(await importList<Thunk>(folder, 'thunks')),
  create: (tools) => ofThunks(tools.map(({ name, load }) => [name, load])),
}

export const eager: RegistrySubject = {
  async register(folder) {
    const tools = new Map((await importList<Tool>(folder, 'eager')).map((tool) => [tool.name, tool]))
    return { size: tools.size, resolve: async (names) => names.map((name) => tools.get(name) as Tool) }
  },
}

function ofEntries(entries: readonly LazyTool[]): Catalog {
  const created = createRegistry(entries)
  return { size: created.names.length, resolve: async (names) => (await created.resolve(...names)).values() }
}

type Thunk = readonly [name: string, load: LoadableTool['load']]

function ofThunks(entries: readonly Thunk[]): Catalog {
  const thunks = new Map(entries)
  return {
    size: thunks.size,
    async resolve(names) {
      const modules = await Promise.all(names.map((name) => (thunks.get(name) as LoadableTool['load'])()))
      return modules.map((module) => module.default)
    },
  }
}

async function importList<Entry>(folder: string, name: ListName): Promise<readonly Entry[]> {
  return (await import(pathToFileURL(join(folder, listPath(name))).href)).default
}
