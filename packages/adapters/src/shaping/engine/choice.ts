/** Shapes choices between schemas (`anyOf` and `oneOf`) and the keywords next to them. */

import { type RestorePlan, renamedIn } from '../restore.ts'
import { ANNOTATIONS, typeNamesOf } from '../schema/keywords.ts'
import { has, type Place, placeIn, without } from '../schema/place.ts'
import type { Combined, Held } from './combine.ts'
import { namesAny, OTHER_NAMES } from './object.ts'
import type { Output } from './output.ts'
import type { Shaped, Shaping } from './shaping.ts'

/**
 * Moves keywords into each choice if the dialect doesn't allow them next to choices. Returns undefined if the choices can stay
 * unchanged.
 */
export function shapeChoice(places: readonly Place[], combined: Combined, shaping: Shaping, level: number): Shaped | undefined {
  const { anyOf } = shaping.rules
  const keyword = CHOICES.find((one) => combined.has(one))
  const held = keyword && combined.get(keyword)
  if (!keyword || !held || anyOf === undefined || anyOf.is === 'typed') return undefined
  const rest = places.map((place) => (has(place, keyword) ? without(place, [keyword]) : place))
  if (anyOf.is === 'alone') return shapeAlone(rest, keyword, held, combined, shaping, level)
  return shapeApart(rest, keyword, held, combined, shaping, level)
}

const CHOICES = ['anyOf', 'oneOf'] as const
type Choice = (typeof CHOICES)[number]
const OUTSIDE: ReadonlySet<string> = new Set([...ANNOTATIONS, '$defs', 'definitions', '$schema', '$id'])

/** Shapes choices for dialects that allow no other keywords next to them. Annotations move into the first choice. */
function shapeAlone(
  rest: readonly Place[],
  keyword: Choice,
  held: Held,
  combined: Combined,
  shaping: Shaping,
  level: number,
): Shaped {
  const all = choicesOf(held, keyword)
  const choices = all.filter((choice) => !choice.every(isNull))
  if (keyword === 'oneOf') loseOne(held, shaping)
  if (choices.length === 0) return onlyNull(combined, keyword, shaping)
  const bare = rest.map((place) => without(place, [...OUTSIDE, 'nullable']))
  const shaped = choices.map((choice, index) =>
    shaping.shapeNode([...(index === 0 ? rest : bare), ...choice], shaping, level + 1),
  )
  const types = typeNamesOf(combined.get('type')?.value)
  const mayBeNull = types.length === 0 || types.includes('null') || combined.get('nullable')?.value === true
  return toChoice(shaped, mayBeNull && choices.length < all.length)
}

/** Returns the schema of a value that can only be null, where no other keyword applies. */
function onlyNull(combined: Combined, keyword: Choice, shaping: Shaping): Shaped {
  const description = combined.get('description')?.value
  for (const [other, { places }] of combined) {
    if (other === keyword || other === 'description') continue
    for (const { path } of places) shaping.lose(path, other, 'dropped', 'has no effect: the value can only be null')
  }
  return { schema: description === undefined ? { type: 'null' } : { type: 'null', description } }
}

/** Combines choices into one schema, with no other keywords next to them. Null becomes `nullable`. */
export function toChoice(shaped: readonly Shaped[], isNullable: boolean): Shaped {
  const choices = shaped.filter(({ schema }) => schema.type !== 'null' || Object.keys(schema).length > 1)
  const [first, ...others] = choices
  if (first === undefined) return shaped[0] ?? { schema: { type: 'null' } }
  const head = isNullable || choices.length < shaped.length ? withNull(first) : first
  if (others.length === 0) return head
  const all = [head, ...others]
  return { schema: { anyOf: all.map(({ schema }) => schema) }, plan: planOf(all) }
}

/** Moves keywords that restrict the value into every choice. Annotations stay where they are. */
function shapeApart(
  rest: readonly Place[],
  keyword: Choice,
  held: Held,
  combined: Combined,
  shaping: Shaping,
  level: number,
): Shaped | undefined {
  const inside = [...combined.keys()].filter((one) => one !== keyword && !OUTSIDE.has(one))
  const [place] = held.places
  if (inside.length === 0 || place === undefined) return undefined
  const bare = rest.map((one) => without(one, OUTSIDE))
  const choices = choicesOf(held, keyword).map((choice) => [...bare, ...choice])
  const whole: Place = { path: place.path, trail: place.trail, node: { [keyword]: choices.map(() => ({})) }, choices }
  return shaping.shapeNode([...rest.map((one) => without(one, inside)), whole], shaping, level + 1)
}

/** Returns the positions of the schemas in each choice. If several positions declare choices, uses the first. */
function choicesOf({ places: [place] }: Held, keyword: string): readonly (readonly Place[])[] {
  if (place?.choices !== undefined) return place.choices
  const list = place?.node[keyword]
  return place !== undefined && Array.isArray(list) ? list.map((one, index) => [placeIn(place, one, keyword, index)]) : []
}

/** Adds `nullable` to a schema. An `anyOf` allows no keywords next to it, so `nullable` is added to its first choice. */
function withNull(shaped: Shaped): Shaped {
  const { schema, plan } = shaped
  if (schema.type === 'null') return shaped
  if (!Array.isArray(schema.anyOf)) return { schema: { ...schema, nullable: true }, plan }
  const [first, ...others] = schema.anyOf
  const head = withNull({ schema: first })
  const choices = plan?.choices?.map((choice, index) => (index === 0 ? { ...choice, schema: head.schema } : choice))
  return { schema: { ...schema, anyOf: [head.schema, ...others] }, plan: choices === undefined ? plan : { ...plan, choices } }
}

/**
 * Returns true for a schema that allows only null and has no other keywords. Other keywords would be lost when null becomes
 * `nullable`.
 */
function isNull({ node }: Place): boolean {
  const [keyword, ...others] = Object.keys(node)
  if (others.length > 0) return false
  if (keyword === 'enum') return Array.isArray(node.enum) && node.enum.length === 1 && node.enum[0] === null
  return node.type === 'null' || (keyword === 'const' && node.const === null)
}

function planOf(shaped: readonly Shaped[]): RestorePlan | undefined {
  if (!shaped.some(({ plan }) => plan !== undefined)) return undefined
  return { choices: shaped.map(({ schema, plan }) => ({ schema, plan })) }
}

function loseOne({ places }: Held, shaping: Shaping): void {
  for (const { path } of places) shaping.lose(path, 'oneOf', 'widened', 'sent as anyOf: a value may match more than one choice')
}

/** Writes `anyOf` or `oneOf` with the shaped choices. */
export function writeChoice(output: Output, held: Held, keyword: string): void {
  const { rules } = output.shaping
  const isRenamed = keyword === 'oneOf' && rules.oneOf !== undefined
  if (isRenamed && output.combined.has('anyOf')) {
    output.move(keyword, held)
    return
  }
  if (isRenamed) loseOne(held, output.shaping)
  const typed = rules.anyOf?.is === 'typed' && keyword === 'anyOf' ? output.combined.get('type') : undefined
  const choices = choicesOf(held, keyword)
  const shaped = choices.map((choice) => output.inner(typed === undefined ? choice : [...typesOf(typed), ...choice]))
  if (keyword === 'oneOf' && !isRenamed && refersToRenamed(choices, shaped)) output.lose('oneOf', held, 'widened', OTHER_NAMES)
  output.set(
    isRenamed ? 'anyOf' : keyword,
    shaped.map(({ schema }) => schema),
  )
  const plan = planOf(shaped)
  if (plan !== undefined) output.plan(plan)
}

/**
 * Returns true if one choice renames a property and another choice refers to its old or new name. The choices may then no longer
 * exclude each other.
 */
function refersToRenamed(choices: readonly (readonly Place[])[], shaped: readonly Shaped[]): boolean {
  const renamed = shaped.map(({ plan }) => renamedIn(plan))
  const all = new Set(renamed.flatMap((names) => [...names]))
  if (all.size === 0) return false
  return choices.some((choice, index) =>
    choice.some(({ node }) => namesAny(node, (name) => all.has(name) && renamed[index]?.has(name) !== true)),
  )
}

function typesOf({ value, places: [place] }: Held): readonly Place[] {
  return place === undefined ? [] : [{ path: place.path, trail: place.trail, node: { type: value } }]
}
