/** Combines several positions into one schema with the keywords of all of them. */
import { ANNOTATIONS, allowsAll, isEqual, isSchema, toList } from '../schema/keywords.ts'
import { has, type Place, placeIn } from '../schema/place.ts'
import type { Shaping } from './shaping.ts'

/** A keyword's value, and the positions that declare it. */
export interface Held {
  readonly value: unknown
  readonly places: readonly Place[]
}

export type Combined = Map<string, Held>

/** Combines the keywords in their original order. If two positions conflict, the second value is lost. */
export function combine(places: readonly Place[], shaping: Shaping): Combined {
  const combined: Combined = new Map()
  for (const place of places) {
    for (const keyword of Object.keys(place.node)) {
      if (!has(place, keyword)) continue
      const value = place.node[keyword]
      const held = combined.get(keyword)
      if (held === undefined) combined.set(keyword, { value, places: [place] })
      else if (Object.hasOwn(GATHERED, keyword)) (held.places as Place[]).push(place)
      else combined.set(keyword, join(keyword, held, value, place, shaping))
    }
  }
  for (const [keyword, gather] of Object.entries(GATHERED)) {
    const held = combined.get(keyword)
    if (held !== undefined && held.places.length > 1) {
      combined.set(keyword, { value: gather(held.places.map(({ node }) => node[keyword])), places: held.places })
    }
  }
  loseParted(combined, shaping)
  return combined
}

/**
 * Groups of keywords in which the others modify the first, as `then` modifies `if`. Modifiers from another position are dropped,
 * because they would modify the wrong keyword.
 */
const TOGETHER = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items', 'additionalItems'],
  ['contains', 'minContains', 'maxContains'],
] as const

function loseParted(combined: Combined, shaping: Shaping): void {
  for (const [first, ...others] of TOGETHER) {
    const head = combined.get(first)
    for (const keyword of head === undefined ? [] : others) {
      const held = combined.get(keyword)
      if (held === undefined || held.places.some((place) => head?.places.includes(place))) continue
      for (const { path } of held.places) loseJoined(path, keyword, shaping)
      combined.delete(keyword)
    }
  }
}

/** Keywords whose values are combined in a single pass, because many positions may declare long values. */
const GATHERED: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  properties: (values) => Object.fromEntries(values.filter(isSchema).flatMap((value) => Object.entries(value))),
  required: (values) => [...new Set(values.filter(Array.isArray).flat())],
}

function join(keyword: string, held: Held, value: unknown, place: Place, shaping: Shaping): Held {
  if (isEqual(held.value, value)) return { value, places: [...held.places, place] }
  const joined = Object.hasOwn(JOINS, keyword) ? JOINS[keyword]?.(held.value, value) : undefined
  if (joined !== undefined) return { value: joined, places: [...held.places, place] }
  if (!SILENT.has(keyword)) loseJoined(place.path, keyword, shaping)
  return held
}

/** Reports that a keyword is lost. Also refuses strict mode, unless the keyword is an annotation such as a title. */
function loseJoined(path: string, keyword: string, shaping: Shaping): void {
  const isRefused = shaping.rules.strict && !ANNOTATIONS.has(keyword)
  shaping.lose(path, keyword, isRefused ? 'refused' : 'dropped', 'conflicts with the same keyword in another subschema')
}

/** Keywords of which only the outermost value is kept. The others aren't reported as lost. */
const SILENT = new Set(['$schema', '$id', '$defs', 'definitions', '$anchor', '$comment'])

type Join = (one: unknown, other: unknown) => unknown

const greatest: Join = (one, other) => numeric(one, other, Math.max)
const least: Join = (one, other) => numeric(one, other, Math.min)

const JOINS: Readonly<Record<string, Join>> = {
  type: (one, other) => {
    const common = intersect(toList(one), toList(other))
    return common.length > 1 ? common : common[0]
  },
  enum: (one, other) => {
    if (!Array.isArray(one) || !Array.isArray(other)) return undefined
    const texts = new Set(other.map((value) => JSON.stringify(value)))
    const common = one.filter((value) => texts.has(JSON.stringify(value)))
    return common.length > 0 ? common : undefined
  },
  items: both,
  additionalProperties: (one, other) => {
    if (one === false || other === false) return false
    return both(one, other)
  },
  nullable: (one, other) => one === true && other === true,
  uniqueItems: (one, other) => one === true || other === true,
  description: (one, other) => (typeof one === 'string' && typeof other === 'string' ? `${one}\n${other}` : undefined),
  minimum: greatest,
  exclusiveMinimum: greatest,
  minLength: greatest,
  minItems: greatest,
  minProperties: greatest,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
}

/**
 * Combines two schemas that must both match. Returning either one is enough, because the positions of the result include both.
 */
function both(one: unknown, other: unknown): unknown {
  if (allowsAll(one) || allowsAll(other)) return allowsAll(one) ? other : one
  return isSchema(one) && isSchema(other) ? one : undefined
}

function numeric(one: unknown, other: unknown, choose: (...numbers: number[]) => number): unknown {
  return typeof one === 'number' && typeof other === 'number' ? choose(one, other) : undefined
}

function intersect(one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const common = one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number')))
  return one.includes('number') && other.includes('integer') && !common.includes('integer') ? [...common, 'integer'] : common
}

/**
 * Returns the schemas at `key` in a keyword's value, one per position that has the key. Without a key, returns the schemas that
 * are the keyword's value.
 */
export function placesOf(held: Held, keyword: string, key?: string | number): readonly Place[] {
  return held.places.flatMap((place) => {
    if (keyword === 'properties' && place.properties !== undefined) return place.properties.get(String(key)) ?? []
    const holder = place.node[keyword]
    if (key === undefined) return isSchema(holder) || typeof holder === 'boolean' ? [placeIn(place, holder, keyword)] : []
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return []
    return [placeIn(place, (holder as Readonly<Record<string | number, unknown>>)[key], keyword, key)]
  })
}
