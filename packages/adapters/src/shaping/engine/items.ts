/** Writes the items of an array. Converts a tuple if the dialect doesn't support tuples. */

import type { RestorePlan } from '../restore.ts'
import { fateOf } from '../rules/tool-rules.ts'
import { isSchema } from '../schema/keywords.ts'
import type { Place } from '../schema/place.ts'
import { toChoice } from './choice.ts'
import { type Held, placesOf } from './combine.ts'
import type { Output } from './output.ts'
import type { Shaped } from './shaping.ts'

export function writeItems(output: Output, held: Held, keyword: string): void {
  const { rules } = output.shaping
  const tuple = tupleOf(output)
  if (rules.tuples === undefined || tuple === undefined) writeList(output, held, keyword)
  else if (rules.tuples.is === 'refused') output.lose(tuple.keyword, tuple.held, 'refused', "strict mode doesn't support tuples")
  else if (keyword !== tuple.keyword) return
  else if (rules.tuples.is === 'prefixItems') writePrefix(output, tuple)
  else writeAsList(output, tuple)
}

/** Adds `items` to an array that doesn't declare its items. */
export function fillItems(output: Output): void {
  const { combined, shaping, path } = output
  const type = combined.get('type')
  if (shaping.rules.items === undefined || String(type?.value).toLowerCase() !== 'array' || output.has('items')) return
  const place: Place = { path, trail: undefined, node: { type: ['string', 'number', 'boolean', 'object'] } }
  output.set('items', output.inner([place]).schema)
}

interface Tuple {
  readonly keyword: string
  readonly held: Held
  /** The schemas of the first items, by position. */
  readonly first: readonly (readonly Place[])[]
  /** The schema of all further items. `false` if none are allowed. */
  readonly rest: readonly Place[] | false
}

/**
 * Reads a tuple, which is declared with `prefixItems` or, in older drafts, with an array in `items`. If several positions declare
 * one, uses the first.
 */
function tupleOf({ combined }: Output): Tuple | undefined {
  const prefix = combined.get('prefixItems')
  const items = combined.get('items')
  const lists = [
    { keyword: 'prefixItems', held: prefix },
    { keyword: 'items', held: items },
  ].filter(({ held }) => Array.isArray(held?.value))
  const [list] = lists
  if (list?.held === undefined) return undefined
  const first = lists.flatMap(({ keyword, held }) => (held === undefined ? [] : placesOfEach(held, keyword)))
  const keyword = Array.isArray(items?.value) ? 'additionalItems' : 'items'
  const others = combined.get(keyword)
  const rest = others?.value === false ? false : others === undefined ? [] : placesOf(others, keyword)
  return { keyword: list.keyword, held: list.held, first, rest: others?.value === true ? [] : rest }
}

function placesOfEach(held: Held, keyword: string): readonly (readonly Place[])[] {
  const one = { ...held, places: held.places.slice(0, 1) }
  return Array.isArray(held.value) ? held.value.map((_, index) => placesOf(one, keyword, index)) : []
}

function writeList(output: Output, held: Held, keyword: string): void {
  if (keyword === 'items' && isSchema(held.value)) {
    const { schema, plan } = output.inner(placesOf(held, keyword))
    output.set(keyword, schema)
    if (plan !== undefined) output.plan({ items: plan })
  } else if (Array.isArray(held.value)) {
    const shaped = placesOfEach(held, keyword).map((places) => output.inner(places))
    output.set(
      keyword,
      shaped.map(({ schema }) => schema),
    )
    planFirst(output, shaped)
  } else if (keyword === 'items' && typeof held.value === 'boolean' && output.shaping.rules.items !== undefined) {
    if (!held.value) limitItems(output, 0)
  } else if (keyword === 'items' && typeof held.value === 'boolean') output.set(keyword, held.value)
  else output.decide(keyword, held)
}

function writePrefix(output: Output, { first, rest }: Tuple): void {
  const shaped = first.map((places) => output.inner(places))
  output.set(
    'prefixItems',
    shaped.map(({ schema }) => schema),
  )
  planFirst(output, shaped)
  if (rest === false) output.set('items', false)
  else if (rest.length > 0) writeRest(output, output.inner(rest))
}

function writeRest(output: Output, { schema, plan }: Shaped): void {
  output.set('items', schema)
  if (plan !== undefined) output.plan({ items: plan })
}

/** Writes a tuple as an array whose items may each match any of the tuple's schemas. The number of items is still limited. */
function writeAsList(output: Output, { keyword, held, first, rest }: Tuple): void {
  output.move(keyword, held)
  output.lose(keyword, held, 'widened', 'sent as an array: the order of its items is not enforced')
  const shaped = first.map((places) => output.inner(places))
  const others = rest === false || rest.length === 0 ? undefined : output.inner(rest)
  const all = others === undefined ? shaped : [...shaped, others]
  const different = [...new Map(all.map((one) => [JSON.stringify(one.schema), one])).values()]
  if (different.length > 0) output.set('items', itemsOf(different, output))
  planFirst(output, shaped)
  if (others?.plan !== undefined) output.plan({ items: others.plan })
  if (rest === false) limitItems(output, first.length)
}

/** Limits the length of the array, if the dialect supports `maxItems`. */
function limitItems(output: Output, length: number): void {
  const most = output.value('maxItems')
  const limit = typeof most === 'number' ? Math.min(most, length) : length
  if (fateOf('maxItems', limit, output.shaping.rules) === 'kept') {
    output.set('maxItems', limit)
    return
  }
  for (const keyword of ['items', 'additionalItems']) {
    const held = output.combined.get(keyword)
    if (held?.value === false) output.lose(keyword, held, 'widened', 'more items are allowed')
  }
}

function itemsOf(different: readonly Shaped[], { shaping: { rules } }: Output): unknown {
  if (rules.types !== undefined) return toChoice(different, false).schema
  return different.length === 1 ? different[0]?.schema : { anyOf: different.map(({ schema }) => schema) }
}

function planFirst(output: Output, shaped: readonly Shaped[]): void {
  if (!shaped.some(({ plan }) => plan !== undefined)) return
  const first: readonly (RestorePlan | undefined)[] = shaped.map(({ plan }) => plan)
  output.plan({ first })
}
