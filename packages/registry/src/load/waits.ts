/** Which loader waits for which, so that a circle is told and not waited for. */
import { LoadError } from '../errors.ts'

/** A loader, known to the others by the name of its tool. */
export interface Waiting {
  readonly name: string
}

/** Whom each running loader waits for, now. */
const waits = new WeakMap<Waiting, Set<Waiting>>()

/** Settles as the target does. Throws `circular` when the target already waits for the one who asks, over whatever others. */
export async function waitFor<T>(asking: Waiting, target: Waiting, start: () => Promise<T>): Promise<T> {
  const path = pathBetween(target, asking)
  if (path !== undefined) {
    const names = [asking, ...path].map(({ name }) => name)
    throw new LoadError('circular', `Loaders wait for each other: ${names.join(' → ')}.`)
  }
  const targets = waits.get(asking) ?? new Set()
  waits.set(asking, targets.add(target))
  try {
    return await start()
  } finally {
    targets.delete(target)
  }
}

/** From one loader to another, both included; undefined when the first does not wait for the second. */
function pathBetween(from: Waiting, to: Waiting, seen = new Set<Waiting>()): readonly Waiting[] | undefined {
  if (from === to) return [to]
  seen.add(from)
  for (const next of waits.get(from) ?? []) {
    const rest = seen.has(next) ? undefined : pathBetween(next, to, seen)
    if (rest !== undefined) return [from, ...rest]
  }
  return undefined
}
