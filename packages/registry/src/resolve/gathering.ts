/** Waits for everything that a resolution has started. All modules share one timeout. */
import { isTool, type Tool } from '@x/tool-core'
import { Deadline, timedOut } from '../load/deadline.ts'
import { type Definition, LazyModule, type LazyTool, type LoadOptions, toTool } from '../load/lazy.ts'
import type { Attempt } from '../load/module-loader.ts'
import { type FoundFailure, failuresOf } from './found-failures.ts'

/** The result for a name, or the results for all names that match a pattern. */
export type Outcome = Tool | readonly (Tool | FoundFailure)[]

/**
 * A result that may not be available yet. The promise never rejects. A `LazyModule` isn't loading yet, because `gather` loads all modules
 * together. This is faster than one promise for each.
 */
export type Pending = Outcome | LazyModule | Promise<Outcome>

/** Called for every lazy tool after it is loaded. */
export type OnLoad = (entry: LazyTool, tool: Tool) => void

/** Returns the results, without a promise if everything is already loaded. */
export function gather(
  all: readonly Pending[],
  options: LoadOptions,
  onLoad: OnLoad | undefined,
): readonly Outcome[] | Promise<readonly Outcome[]> {
  const modules = all.filter((one) => one instanceof LazyModule)
  if (modules.length > 0) {
    const loading = loadTogether(modules, options, onLoad)
    return modules.length === all.length ? loading : fillIn(all, loading)
  }
  return all.some((one) => one instanceof Promise) ? Promise.all(all as Outcome[]) : (all as readonly Outcome[])
}

async function fillIn(all: readonly Pending[], loading: Promise<readonly Outcome[]>): Promise<readonly Outcome[]> {
  // Awaits the promises one after another. All of them are already running, and none rejects.
  const loaded = await loading
  const outcomes: Outcome[] = []
  let next = 0
  for (const one of all) outcomes.push(one instanceof LazyModule ? (loaded[next++] as Outcome) : await one)
  return outcomes
}

/**
 * Loads several modules together. Handles them one by one only if one of them has failed, because a closure for every tool would slow down
 * the common case.
 */
async function loadTogether(
  modules: readonly LazyModule[],
  options: LoadOptions,
  onLoad: OnLoad | undefined,
): Promise<readonly Outcome[]> {
  const { timeoutMs = Number.POSITIVE_INFINITY } = options
  const attempts = modules.map((module) => module.loader.attempt(options))
  let deadline: Deadline | undefined
  const late = new Promise<undefined>((pass) => {
    deadline = new Deadline(timeoutMs, () => pass(undefined))
  })
  try {
    const all = await Promise.race<readonly Definition[] | undefined>([Promise.all(attempts.map(({ outcome }) => outcome)), late])
    if (all?.every(isTool)) {
      for (let index = 0; index < all.length; index++) onLoad?.(modules[index] as LazyModule, all[index] as Tool)
      deadline?.stop()
      return all
    }
  } catch {
    // At least one failed. The code below finds out which.
  }
  const outcomes = await Promise.all(modules.map(settleEach))
  deadline?.stop()
  return outcomes

  async function settleEach(module: LazyModule, index: number): Promise<Outcome> {
    const attempt = attempts[index] as Attempt<Definition>
    try {
      const definition = await Promise.race<Definition | undefined>([attempt.outcome, late])
      if (definition !== undefined) {
        const tool = await toTool(definition)
        onLoad?.(module, tool)
        return tool
      }
      module.loader.forget(attempt)
      throw timedOut('Its loader', timeoutMs)
    } catch (error) {
      return failuresOf(module.name, error)
    }
  }
}
