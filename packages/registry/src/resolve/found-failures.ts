/** Turns errors and unknown names into the failures of a resolution. */
import { isToolName, nearestNames } from '@x/tool-core'
import { describeThrown, LoadError, RegistryError, type ResolutionFailure, readable, ToolResolutionError } from '../errors.ts'
import type { Place } from './place.ts'

/** A failure that may still lack the searched places and the suggestions. A failure from another registry has both. */
export type FoundFailure = ResolutionFailure | Omit<ResolutionFailure, 'searched' | 'suggestions'>

export function failuresOf(identifier: string, thrown: unknown): readonly FoundFailure[] {
  const error = readable(thrown)
  if (error instanceof ToolResolutionError) {
    // An error with the same identifier comes from a reference to another registry, so its failures are the reason. With a different
    // identifier, a module has failed to resolve tools that it needs.
    if (error.identifier === identifier) return error.failures
    const circle = error.failures.find(({ code }) => code === 'circular')
    if (circle !== undefined) return [{ code: 'circular', identifier, detail: circle.detail, cause: error }]
  }
  if (error instanceof LoadError) return [toFailure(identifier, error)]
  if (error instanceof RegistryError) return [{ code: 'conflict', identifier, detail: error.message, cause: error }]
  return [{ code: 'load_failed', identifier, detail: `Its module threw: ${describeThrown(error)}`, cause: error }]
}

function toFailure(identifier: string, { code, message: detail, fix, cause }: LoadError): FoundFailure {
  return { code, identifier, detail, ...(fix !== undefined && { fix }), cause }
}

/** Maximum number of failures with suggestions, and of suggestions per failure. Searching ten thousand names takes milliseconds. */
const MAX_SUGGESTED = 3

/** Returns the names of a place. Empty for a resolver with a `names()` that throws, because that is reported as a separate failure. */
function namesOf(place: Place): readonly string[] {
  try {
    return [...place.names()]
  } catch {
    return []
  }
}

/** Adds the searched places and the suggestions. `ofPatterns` is true if the caller could also have passed a name pattern. */
export function completed(
  places: readonly Place[],
  failures: readonly FoundFailure[],
  ofPatterns = false,
): readonly ResolutionFailure[] {
  if (failures.length === 0) return []
  const searched = places.map((place) => place.describe())
  const unknown = failures.filter(({ code }) => code === 'not_found').slice(0, MAX_SUGGESTED)
  const names = unknown.length === 0 ? [] : places.flatMap(namesOf)
  return failures.map((failure) => {
    if ('searched' in failure) return failure
    if (!unknown.includes(failure)) return { ...failure, searched, suggestions: [] }
    const wrong = failure.identifier.slice(0, 100).replace('*', '')
    const patterns = ofPatterns ? patternsFor(failure.identifier, places, names) : []
    return { ...failure, searched, suggestions: [...patterns, ...nearestNames(wrong, names)].slice(0, MAX_SUGGESTED) }
  })
}

/** Suggests name patterns: `memory_*` for the name of the toolset `memory`, and similar prefixes for a pattern. */
function patternsFor(identifier: string, places: readonly Place[], names: readonly string[]): readonly string[] {
  const toolsets = new Set(places.flatMap(({ table }) => [...(table?.toolsets ?? [])]))
  if (toolsets.has(identifier)) return [`${identifier}_*`]
  if (!identifier.endsWith('*')) return []
  const prefixes = new Set([...toolsets, ...names.flatMap(prefixesOf)])
  return nearestNames(identifier.slice(0, 100).replace(/_?\*$/, ''), prefixes).map((prefix) => `${prefix}_*`)
}

/** Returns the prefixes of a name: for `shop_cart_add`, `shop` and `shop_cart`. */
function prefixesOf(name: string): readonly string[] {
  if (!isToolName(name)) return []
  const words = name.split('_')
  return words.slice(1).flatMap((_, index) => words.slice(0, index + 1).join('_') || [])
}
