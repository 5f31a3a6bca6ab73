/** The checker of regular expressions, loaded only for a schema with a pattern that repeats a group. */
import type * as RedosDetector from 'redos-detector'

/** True when a repeated group, given as source, can read some text in only one way. */
export type GroupCheck = (source: string, isUnicode: boolean) => boolean

/** At once where modules can be loaded synchronously, as in Node; `undefined` in a browser and in some bundles. */
export function loadGroupCheck(): GroupCheck | undefined {
  try {
    const module = globalThis.process?.getBuiltinModule?.('node:module')
    return module && toCheck(module.createRequire(import.meta.url)('redos-detector'))
  } catch {
    return undefined
  }
}

export async function importGroupCheck(): Promise<GroupCheck> {
  return toCheck(await import('redos-detector'))
}

/** More than enough for a sound group; an ambiguous one ends at them within some 100 ms. */
const LIMITS = { maxScore: 10, maxSteps: 1_000, timeout: Infinity }

/** A bundler may give the CommonJS module as default only. */
function toCheck(module: { readonly default?: unknown }): GroupCheck {
  const { isSafePattern } = (module.default ?? module) as typeof RedosDetector
  return (source, isUnicode) => {
    try {
      return isSafePattern(`^(?:${source})*$`, { ...LIMITS, unicode: isUnicode }).safe
    } catch {
      // It does not know this syntax.
      return false
    }
  }
}
