/** A schema and its position. Several positions are treated as one schema: a value must match all of them. */
import { pointerSegment } from '@x/tool-core'
import { isSchema, type SchemaNode } from './keywords.ts'

export interface Place {
  readonly node: SchemaNode
  /** JSON pointer into the tool's parameters. */
  readonly path: string
  /** The definitions around this position. A repeated definition is recursive. */
  readonly trail: Trail | undefined
  /** Keywords that are skipped because they are handled elsewhere. */
  readonly without?: ReadonlySet<string> | undefined
  /** The positions of its properties' schemas, if the node was combined from several positions. */
  readonly properties?: ReadonlyMap<string, readonly Place[]> | undefined
  /** The positions of its choices, if the node was combined from several positions. Each choice has at least one. */
  readonly choices?: readonly (readonly Place[])[] | undefined
}

export interface Trail {
  readonly pointer: string
  readonly outer: Trail | undefined
}

/** A nested schema. A value that isn't a schema is read as `true`, which allows anything. */
export function placeIn(outer: Place, value: unknown, ...keys: readonly (string | number)[]): Place {
  const path = keys.reduce<string>((start, key) => `${start}/${pointerSegment(String(key))}`, outer.path)
  return { node: toNode(value), path, trail: outer.trail }
}

export function toNode(value: unknown): SchemaNode {
  if (isSchema(value)) return value
  return value === false ? NOTHING : ANYTHING
}

const ANYTHING: SchemaNode = Object.freeze({})

/** The schema that `false` stands for. */
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
