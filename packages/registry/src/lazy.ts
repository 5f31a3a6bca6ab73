/** A tool that has a name now, and a module later. */
import { isTool, type Tool } from '@x/tool-core'
import { LoadError } from './errors.ts'

/** What a loader may give: the tool itself, or a module that exports it as default. */
export type Loaded<Name extends string> = Tool<Name> | { readonly default: Tool<Name> }

export interface LazyTool<Name extends string = string> {
  readonly [LAZY]: true
  readonly name: Name
  /**
   * Imports once, also for many callers at a time; a failure is not remembered. An attempt that takes longer than
   * `timeoutMs` is given up on, and the next call tries again.
   */
  load(timeoutMs?: number): Promise<Tool<Name>>
}

/** Names a tool now; `load` runs when an agent that needs it is created. A closure is the place for its configuration. */
export function lazy<const Name extends string>(name: Name, load: () => Promise<Loaded<NoInfer<Name>>>): LazyTool<Name> {
  return memoised(name, async () => toTool(name, await load()))
}

export const LAZY: unique symbol = Symbol.for('@x/registry/lazy') as never

export function isLazy(value: unknown): value is LazyTool {
  return typeof value === 'object' && value !== null && LAZY in value
}

export function memoised<Name extends string>(name: Name, load: () => Promise<Tool<Name>>): LazyTool<Name> {
  let pending: Promise<Tool<Name>> | undefined
  return Object.freeze({
    [LAZY]: true as const,
    name,
    load(timeoutMs = Infinity) {
      pending ??= load()
      const attempt = pending
      return withTimeout(attempt, timeoutMs).catch((error: unknown) => {
        if (pending === attempt) pending = undefined
        throw error
      })
    },
  })
}

const LONGEST_TIMER = 2 ** 31 - 1

function withTimeout<T>(loading: Promise<T>, timeoutMs: number): Promise<T> {
  if (timeoutMs > LONGEST_TIMER) return loading
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new LoadError('load_timeout', `Its loader did not settle within ${timeoutMs} ms.`)),
      timeoutMs,
    )
    loading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function toTool<Name extends string>(name: Name, loaded: unknown): Tool<Name> {
  // A CommonJS module that was compiled from `export default` arrives with a default in its default.
  const tool = [loaded, defaultOf(loaded), defaultOf(defaultOf(loaded))].find(isTool)
  if (tool === undefined) throw new LoadError('invalid_module', `Its loader gave no tool: ${describe(loaded)}.`)
  if (tool.name !== name) throw new LoadError('wrong_name', `Its loader gave a tool named "${tool.name}".`)
  return tool as Tool<Name>
}

function defaultOf(loaded: unknown): unknown {
  return (loaded as { default?: unknown } | null | undefined)?.default
}

function describe(loaded: unknown): string {
  if (typeof loaded !== 'object' || loaded === null) return `it gave ${loaded === null ? 'null' : typeof loaded}`
  const keys = Object.keys(loaded)
  return keys.length === 0 ? 'the module exports nothing' : `the module exports ${keys.join(', ')}`
}
