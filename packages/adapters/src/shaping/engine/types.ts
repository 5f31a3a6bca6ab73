/** Writes the type of a schema, for dialects that require a type or allow only a single type name. */

import { ANNOTATIONS, isAbout, subjectOf, typeNamesOf, typeOfValue } from '../schema/keywords.ts'
import { type Place, without } from '../schema/place.ts'
import type { Combined, Held } from './combine.ts'
import type { Output } from './output.ts'
import type { Shaped, Shaping } from './shaping.ts'
import { listedIn } from './values.ts'

/** Returns a choice of single types, or one nullable type. Returns undefined if the types can be sent unchanged. */
export function shapeTypes(places: readonly Place[], combined: Combined, shaping: Shaping, level: number): Shaped | undefined {
  const { rules } = shaping
  const hasChoice = ['anyOf', 'oneOf', '$ref'].some((keyword) => combined.has(keyword)) || listedIn(combined) !== undefined
  if (hasChoice || rules.types === undefined) return undefined
  const held = combined.get('type')
  if (held === undefined && rules.untyped?.is !== 'filled') return undefined
  const named = typeNamesOf(held?.value)
  if (held !== undefined && named.length === 0)
    for (const { path } of held.places) shaping.lose(path, 'type', 'dropped', 'not a JSON Schema type')
  const all = named.length === 0 ? impliedTypes(combined) : named
  const types = all.filter((type) => type !== 'null')
  if (types.length === 0 || (types.length === 1 && all.length === 1 && typeof held?.value === 'string')) return undefined
  return writeTypes(places, types, all.length > types.length, { combined, shaping, level })
}

interface Here {
  readonly combined: Combined
  readonly shaping: Shaping
  readonly level: number
}

/** Shapes one schema per type, with the keywords that apply to the type. */
function writeTypes(places: readonly Place[], types: readonly string[], isNullable: boolean, here: Here): Shaped {
  const { combined, shaping, level } = here
  for (const [keyword, { value, places: holders }] of combined) {
    const subject = subjectOf(keyword, value)
    if (subject === undefined || types.some((type) => isAbout(subject, type))) continue
    for (const { path } of holders) shaping.lose(path, keyword, 'dropped', 'does not apply to these types')
  }
  const shaped = types.map((type, index) => {
    const others = [...combined.keys()].filter((keyword) => isElsewhere(keyword, combined.get(keyword), type, index))
    const rest = places.map((place) => without(place, ['type', 'nullable', ...others]))
    const node = index === 0 && isNullable ? { type, nullable: true } : { type }
    return shaping.shapeNode([{ ...(places[0] as Place), node, without: undefined }, ...rest], shaping, level + 1)
  })
  const [only] = shaped
  if (shaped.length === 1 && only !== undefined) return only
  const plan = shaped.some((one) => one.plan !== undefined)
    ? { choices: shaped.map((one) => ({ schema: one.schema, plan: one.plan })) }
    : undefined
  return { schema: { anyOf: shaped.map(({ schema }) => schema) }, plan }
}

/** Returns true for a keyword that is written with another type. Annotations are written with the first type. */
function isElsewhere(keyword: string, held: Held | undefined, type: string, index: number): boolean {
  if (ANNOTATIONS.has(keyword)) return index > 0
  const subject = subjectOf(keyword, held?.value)
  return subject !== undefined && !isAbout(subject, type)
}

/** Returns the types to which the keywords apply. Returns all types if no keyword is specific to a type. */
function impliedTypes(combined: Combined): readonly string[] {
  const subjects = [...combined].map(([keyword, { value }]) => subjectOf(keyword, value))
  const types = [...new Set(subjects.filter((subject) => subject !== undefined))]
  return types.length > 0 ? types : ['string', 'number', 'boolean', 'object', 'array', 'null']
}

/** Writes the type, unless listed values or choices already determine it. */
export function writeType(output: Output, held: Held): void {
  const { combined, shaping } = output
  const isSaidByValues = shaping.rules.choices !== undefined && listedIn(combined) !== undefined
  const isSaidByChoices = shaping.rules.anyOf?.is === 'typed' && combined.has('anyOf')
  if (isSaidByValues || isSaidByChoices) return
  const named = typeNamesOf(held.value)
  const isNullable = shaping.rules.strict && output.value('nullable') === true
  if (named.length > 0) output.set('type', isNullable ? [...new Set([...named, 'null'])] : held.value)
  else output.lose('type', held, shaping.rules.strict ? 'refused' : 'dropped', 'not a JSON Schema type')
}

/**
 * Reports arrays and objects in `enum` and `const`. Strict mode doesn't accept them, because they would need schemas of their
 * own.
 */
function loseCompound({ combined, shaping, path }: Output): void {
  if (shaping.rules.untyped?.is !== 'refused') return
  const isCompound = listedIn(combined)?.some((value) => typeof value === 'object' && value !== null)
  if (isCompound)
    shaping.lose(path, combined.has('const') ? 'const' : 'enum', 'refused', 'the listed values include an array or an object')
}

/** Adds a missing type, which strict mode requires, based on the listed values. */
export function fillType(output: Output): void {
  const { combined, shaping } = output
  loseCompound(output)
  if (shaping.rules.untyped?.is !== 'refused' || ['$ref', 'anyOf', 'allOf'].some((keyword) => output.has(keyword))) return
  if (typeNamesOf(output.value('type')).length > 0) return
  const values = combined.get('enum')?.value
  if (Array.isArray(values) || combined.has('const')) {
    const types = [...new Set((Array.isArray(values) ? values : [output.value('const')]).map(typeOfValue))]
    output.set('type', types.length === 1 ? types[0] : types)
    return
  }
  shaping.lose(output.path, 'type', 'refused', 'strict mode requires a type')
}
