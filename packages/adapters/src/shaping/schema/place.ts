/** A schema and its position. Several positions may act as one schema; a value must then match all of them. */
import { pointerSegment } from '@x/tool-core'
import { isSchema, type SchemaNode } from './keywords.ts'

export interface Place {
  readonly node: SchemaNode
  /** JSON pointer into the tool's parameters. */
  readonly path: string
  /** The definitions that contain this position. If one occurs twice, it is recursive. */
  readonly trail: Trail | undefined
  /** Keywords to skip, because they are handled elsewhere. */
  readonly without?: ReadonlySet<string> | undefined
  /** The positions of each property's schemas, if the node was combined from several positions. */
  readonly properties?: ReadonlyMap<string, readonly Place[]> | undefined
  /** The positions of each choice, if the node was combined from several positions. Each choice has at least one position. */
  readonly choices?: readonly (readonly Place[])[] | undefined
}

export interface Trail {
  readonly pointer: string
  readonly outer: Trail | undefined
}

/** Returns the position of a nested schema. A value that is neither a schema nor a boolean counts as `true`. */
export function placeIn(outer: Place, value: unknown, ...keys: readonly (string | number)[]): Place {
  const path = keys.reduce<string>((start, key) => `${start}/${pointerSegment(String(key))}`, outer.path)
  return { node: toNode(value), path, trail: outer.trail }
}

export function toNode(value: unknown): SchemaNode {
  if (isSchema(value)) return value
  return value === false ? NOTHING : ANYTHING
}

const ANYTHING: SchemaNode = Object.freeze({})

/** The schema that is equivalent to `false`. */
const NOTHING: SchemaNode = Object.freeze({ not: ANYTHING })

export function without(place: Place, keywords: Iterable<string>): Place {
  return { ...place, without: new Set([...(place.without ?? []), ...keywords]) }
}

export function has({ node, without }: Place, keyword: string): boolean {
  return Object.hasOwn(node, keyword) && !without?.has(keyword)
}

export function isInside(trail: Trail | undefined, pointer: string): boolean {
  for (let step = trail; step !== undefined; step = step.outer) if (step.pointer === pointer) return true
  return false
}
