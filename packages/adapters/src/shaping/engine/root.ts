/** Converts the root of a tool's parameters to a single object, even if it consists of references, choices or `allOf`. */

import { isSchema, toList, typeNamesOf } from '../schema/keywords.ts'
import { has, type Place, placeIn, without } from '../schema/place.ts'
import { combine, type Held, placesOf } from './combine.ts'
import { expand } from './expand.ts'
import type { Shaping } from './shaping.ts'

/** Maximum depth of nested choices that are merged. */
const MAX_LEVELS = 8

/** Returns the positions of the root object. Returns undefined if the root can't be an object. */
export function rootPlaces(root: Place, shaping: Shaping, level = 0): readonly Place[] | undefined {
  const { rootChoice } = shaping.rules
  const isMade = has(root, '$ref') || (rootChoice !== undefined && has(root, 'allOf'))
  let merged = isMade ? expand([root], shaping, true) : [root]
  for (let choice = findChoice(merged); choice && rootChoice; choice = findChoice(merged)) {
    merged = withoutChoice(merged, choice, shaping, level)
  }
  if (rootChoice !== undefined) merged = withoutValues(merged, shaping)
  const types = combine(merged, shaping).get('type')
  const names = typeNamesOf(types?.value).map((type) => type.toLowerCase())
  if (names.length > 0 && !names.includes('object')) return undefined
  if (types !== undefined && names.length === 0) shaping.lose(root.path, 'type', 'dropped', 'not a JSON Schema type')
  return names.length === 1 && typeof types?.value === 'string'
    ? merged
    : [{ ...root, without: undefined, node: { type: 'object' } }, ...merged.map(withoutType)]
}

/** Removes `enum` and `const` from the root, because their values declare no properties. */
function withoutValues(places: readonly Place[], shaping: Shaping): readonly Place[] {
  return places.map((place) => {
    const listed = ['enum', 'const'].filter((keyword) => has(place, keyword))
    for (const keyword of listed)
      shaping.lose(place.path, keyword, shaping.rules.strict ? 'refused' : 'dropped', 'not supported at the root')
    return listed.length === 0 ? place : without(place, listed)
  })
}

interface Choice {
  readonly holder: Place
  readonly keyword: 'anyOf' | 'oneOf'
}

function findChoice(places: readonly Place[]): Choice | undefined {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const holder = places.find((place) => has(place, keyword))
    if (holder !== undefined) return { holder, keyword }
  }
  return undefined
}

const withoutType = (place: Place) => without(place, ['type'])

/** Merges choices into one object with the properties of all choices. A property is required only if every choice requires it. */
function withoutChoice(places: readonly Place[], { holder, keyword }: Choice, shaping: Shaping, level: number): readonly Place[] {
  const rest = places.map((place) => (place === holder ? without(place, [keyword]) : place))
  const list = holder.node[keyword]
  const isRefused = shaping.rules.rootChoice?.is === 'refused' || level >= MAX_LEVELS
  shaping.lose(
    holder.path,
    keyword,
    isRefused && shaping.rules.strict ? 'refused' : 'widened',
    'sent as one object that accepts the properties of every choice',
  )
  if (!Array.isArray(list) || isRefused) return rest
  const choices = list.flatMap((choice, index) => {
    const chosen = rootPlaces(placeIn(holder, choice, keyword, index), shaping, level + 1)
    return chosen === undefined ? [] : [combine(chosen, shaping)]
  })
  const properties = new Map<string, (readonly Place[])[]>()
  for (const choice of choices) {
    const held = choice.get('properties')
    for (const name of held === undefined || !isSchema(held.value) ? [] : Object.keys(held.value)) {
      const known = properties.get(name) ?? []
      known.push(placesOf(held as Held, 'properties', name))
      properties.set(name, known)
    }
  }
  const requirements = choices.map((choice) => new Set(toList(choice.get('required')?.value ?? [])))
  return [...rest, mergedPlace(holder, properties, requirements)]
}

function mergedPlace(
  holder: Place,
  properties: ReadonlyMap<string, readonly (readonly Place[])[]>,
  requirements: readonly ReadonlySet<unknown>[],
): Place {
  const places = new Map([...properties].map(([name, choices]) => [name, onePlace(choices)]))
  const [first, ...others] = requirements
  const required = [...(first ?? [])].filter((name) => others.every((names) => names.has(name)))
  const common = new Set(required)
  const words = [...new Set(requirements.map((names) => [...names].filter((name) => !common.has(name)).join(' and ')))]
  const isDescribed = words.length > 1 && words.every((names) => names !== '')
  return {
    path: holder.path,
    trail: holder.trail,
    node: {
      properties: Object.fromEntries([...places.keys()].map((name) => [name, {}])),
      ...(required.length > 0 && { required }),
      ...(isDescribed && { description: `Needs ${words.join(', or ')}.` }),
    },
    properties: places,
  }
}

/** Returns a position for a property that several choices declare. Its value may match any of these declarations. */
function onePlace(choices: readonly (readonly Place[])[]): readonly Place[] {
  const [first = []] = choices
  const different = [...new Map(choices.map((choice) => [JSON.stringify(choice.map(toKey)), choice])).values()]
  const [place] = first
  if (different.length < 2 || place === undefined) return first
  return [{ path: place.path, trail: place.trail, node: { anyOf: different.map(() => ({})) }, choices: different }]
}

/**
 * Returns a key by which positions are compared. This is the node, or the path if the position was combined from several nodes.
 */
function toKey({ node, path, properties, choices }: Place): unknown {
  return properties === undefined && choices === undefined ? node : path
}
