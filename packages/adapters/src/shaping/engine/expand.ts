/** Expands the positions of one schema with the targets of its references and the members of its `allOf`. */

import type { SchemaRules } from '../rules/tool-rules.ts'
import { ANNOTATIONS } from '../schema/keywords.ts'
import { has, isInside, type Place, placeIn, without } from '../schema/place.ts'
import { isPlainReference, POINTS_TO_NOTHING, resolveReference } from '../schema/references.ts'
import type { Shaping } from './shaping.ts'

/** Maximum number of positions after one schema is expanded. */
const MAX_PARTS = 500

/** Returns the expanded positions. If `everything` is true, as for the root, also inlines references that could stay. */
export function expand(places: readonly Place[], shaping: Shaping, everything = false): readonly Place[] {
  // Renamed properties need unique names in the whole object, so the members of `allOf` are merged.
  const isMerged = everything || shaping.rules.allOf !== undefined || shaping.rules.keys !== undefined
  const isWritten = everything || !keepsReference(isMerged ? withParts(places) : places, shaping)
  const expanded: Place[] = []
  // The paths of members that were already added. A repeated member adds nothing.
  const seen = new Set<string>()
  const open = [...places].reverse()
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (expanded.length >= MAX_PARTS || !shaping.spend(0)) {
      shaping.cut(place.path, 'too large to inline')
      continue
    }
    const parts: Place[] = []
    let rest = place
    if (isWritten && has(place, '$ref')) {
      rest = without(rest, ['$ref'])
      parts.push(...referred(place, shaping))
    }
    if (isMerged && has(place, 'allOf')) {
      rest = without(rest, ['allOf'])
      parts.push(...partsOf(place))
    }
    expanded.push(rest)
    open.push(...parts.filter((part) => !seen.has(part.path)).reverse())
    for (const part of parts) seen.add(part.path)
  }
  return expanded
}

function withParts(places: readonly Place[]): readonly Place[] {
  return places.some((place) => has(place, 'allOf'))
    ? places.flatMap((place) => [without(place, ['allOf']), ...withParts(partsOf(place))])
    : places
}

function partsOf(place: Place): readonly Place[] {
  if (!has(place, 'allOf')) return []
  const { allOf } = place.node
  return Array.isArray(allOf) ? allOf.map((part, index) => placeIn(place, part, 'allOf', index)) : []
}

/**
 * Returns true if a reference can be sent unchanged, because its target doesn't move. If the dialect restricts references, no
 * keyword next to it may restrict the value.
 */
function keepsReference(places: readonly Place[], { rules }: Shaping): boolean {
  const { references, keys } = rules
  const holders = places.filter((place) => has(place, '$ref'))
  if (holders.length === 0) return true
  if (references?.is === 'inlined' || holders.length > 1) return false
  if (references === undefined && keys === undefined) return !holders.some(({ node }) => isMoved(node.$ref, rules))
  if (!holders.every(({ node }) => isPlainReference(node.$ref))) return false
  return references === undefined || places.every(saysNothingElse)
}

/** Returns true if the target of a reference moves because the root is merged or a tuple is rewritten. */
function isMoved(reference: unknown, { rootChoice, tuples }: SchemaRules): boolean {
  if (typeof reference !== 'string') return false
  return (
    (rootChoice !== undefined && /^#\/(?:anyOf|oneOf|allOf)\//.test(reference)) ||
    (tuples !== undefined && /^#.*\/(?:items\/\d+|additionalItems)(?:\/|$)/.test(reference))
  )
}

function saysNothingElse({ node, without }: Place): boolean {
  return Object.keys(node).every((keyword) => without?.has(keyword) || ANNOTATIONS.has(keyword) || BESIDE.has(keyword))
}

const BESIDE = new Set(['$ref', '$defs', 'definitions', '$schema', '$id'])

function referred(place: Place, shaping: Shaping): readonly Place[] {
  const target = resolveReference(place.node.$ref, shaping.root, place.trail)
  const action = shaping.rules.strict ? 'refused' : 'widened'
  if (target === undefined) {
    shaping.lose(place.path, '$ref', action, POINTS_TO_NOTHING)
    return []
  }
  if (!isInside(place.trail, target.path)) return [target]
  shaping.lose(place.path, '$ref', action, 'recursive: cut off here')
  const { type } = target.node
  return type === undefined ? [] : [{ ...target, node: { type } }]
}
