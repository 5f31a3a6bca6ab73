/** Tracks which loaders are waiting for each other, so that a cycle fails immediately. */
import { LoadError } from '../errors.ts'

/** A running loader. Errors identify it by the name of its tool. */
export interface Waiting {
  readonly name: string
}

/** For each running loader, the loaders that it is waiting for. */
const waits = new WeakMap<Waiting, Set<Waiting>>()

/**
 * Runs `start` and settles with its result. Throws `circular` if the target is already waiting for `asking`, directly or through other
 * loaders.
 */
export async function waitFor<T>(asking: Waiting, target: Waiting, start: () => Promise<T>): Promise<T> {
  const path = pathBetween(target, asking)
  if (path !== undefined) {
    const names = [asking, ...path].map(({ name }) => name)
    throw new LoadError('circular', `Loaders are waiting for each other: ${names.join(' → ')}.`)
  }
  const targets = waits.get(asking) ?? new Set()
  waits.set(asking, targets.add(target))
  try {
    return await start()
  } finally {
    targets.delete(target)
  }
}

/** Returns the path from one loader to another, including both. Undefined if the first loader isn't waiting for the second. */
function pathBetween(from: Waiting, to: Waiting, seen = new Set<Waiting>()): readonly Waiting[] | undefined {
  if (from === to) return [to]
  seen.add(from)
  for (const next of waits.get(from) ?? []) {
    const rest = seen.has(next) ? undefined : pathBetween(next, to, seen)
    if (rest !== undefined) return [from, ...rest]
  }
  return undefined
}
