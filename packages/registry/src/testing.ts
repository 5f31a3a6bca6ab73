/** A registry for tests, with mock tools instead of modules, and a record of what was resolved. */
import { defineTool, isTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import { type LazyTool, toLazy } from './load/lazy.ts'
import type { Registry } from './registry.ts'
import { createRegistry } from './tool-registry.ts'

/** A mock: a tool, an `execute` function, an error for its module to throw, or undefined for "not found". */
export type MockedTool = Tool | ((args: never) => unknown) | Error | undefined

export interface MockRegistry extends Registry {
  /** The names of the resolved tools in order, once for each resolution. */
  readonly resolved: readonly string[]
  /** Throws if the tool was not resolved exactly `times` times. Default: 1. */
  expectResolved(name: string, times?: number): void
}

const ANYTHING = { type: 'object', properties: {}, additionalProperties: true } as unknown as TObject

/**
 * Creates a registry of mocks under the names of the real tools. An `Error` stands for a module that throws it. A name that is missing, or
 * has the value `undefined`, is not found.
 */
export function mockRegistry(tools: { readonly [name: string]: MockedTool }): MockRegistry {
  const resolved: string[] = []
  const entries = Object.entries(tools).flatMap(([name, mocked]) =>
    mocked === undefined ? [] : [toRecorded(name, mocked, resolved)],
  )
  const registry = createRegistry(entries, { name: 'mock' })
  return Object.assign(registry, {
    resolved,
    expectResolved(name: string, times = 1) {
      const count = resolved.filter((one) => one === name).length
      if (count === times) return
      const all = resolved.length === 0 ? 'nothing' : resolved.join(', ')
      throw new Error(`"${name}" was resolved ${count} times, not ${times}. Resolved: ${all}.`)
    },
  })
}

/** Creates an entry that records every resolution. `lazy` isn't used, because it loads only once. */
function toRecorded(name: string, mocked: Exclude<MockedTool, undefined>, resolved: string[]): LazyTool {
  const tool = typeof mocked === 'function' ? toTool(name, mocked) : mocked
  const load = async () => {
    resolved.push(name)
    if (tool instanceof Error) throw tool
    if (!isTool(tool) || tool.name !== name) throw new TypeError(`mockRegistry: "${name}" must be a tool with that name.`)
    return tool
  }
  return toLazy(name, load, load)
}

function toTool(name: string, execute: (args: never) => unknown): Tool {
  return defineTool({ name, description: `Mock of ${name}.`, args: ANYTHING, execute: execute as () => unknown })
}
