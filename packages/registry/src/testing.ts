/** A registry for tests. It contains mocks instead of modules, and records which tools were resolved. */
import { defineTool, isTool, type Tool } from '@x/tool-core'
import type { TObject } from 'typebox'
import { createRegistry } from './create-registry.ts'
import { type LazyTool, toLazy } from './load/lazy.ts'
import type { Registry } from './registry-types.ts'

/** A tool, an `execute` function, an error that its module should throw, or undefined for a name that isn't found. */
export type MockedTool = Tool | ((args: never) => unknown) | Error | undefined

export interface MockRegistry extends Registry {
  /** The names of the resolved tools, in order. A tool that was resolved twice is listed twice. */
  readonly resolved: readonly string[]
  /** Throws unless the tool was resolved exactly `times` times. Default: 1. */
  expectResolved(name: string, times?: number): void
}

const ANYTHING = { type: 'object', properties: {}, additionalProperties: true } as unknown as TObject

/**
 * Creates a registry with mocks under the names of the real tools. An `Error` acts as a module that throws this error. A name that is
 * missing, or has the value `undefined`, isn't found.
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

/** Creates an entry that records every resolution. Doesn't use `lazy`, which would load the tool only once. */
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
