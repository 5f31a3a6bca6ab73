/** The engine that shapes a schema by a dialect's rules. The schema may consist of several positions. */

import type { RestorePlan } from '../restore.ts'
import { fateOf } from '../rules/tool-rules.ts'
import { isAbout, isSchema, LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS, subjectOf } from '../schema/keywords.ts'
import { type Place, placeIn } from '../schema/place.ts'
import { shapeChoice, writeChoice } from './choice.ts'
import { combine, type Held } from './combine.ts'
import { writeDefinitions, writeReference } from './definitions.ts'
import { expand } from './expand.ts'
import { fillItems, writeItems } from './items.ts'
import { closeObject, writeAdditional, writeProperties, writeRequired } from './object.ts'
import { Output } from './output.ts'
import { MAX_LEVELS, type Shaped, type Shaping } from './shaping.ts'
import { fillType, shapeTypes, writeType } from './types.ts'
import { listedType, TEXTS, writeDefault, writeValues } from './values.ts'

export function shapeNode(places: readonly Place[], shaping: Shaping, level: number): Shaped {
  const excess = excessOf(places, shaping, level)
  if (excess !== undefined) {
    for (const { path } of places) shaping.cut(path, excess)
    return { schema: shaping.rules.untyped?.is === 'filled' ? { type: 'object' } : {} }
  }
  const expanded = expand(places, shaping)
  const combined = combine(expanded, shaping)
  return (
    shapeChoice(expanded, combined, shaping, level) ??
    shapeTypes(expanded, combined, shaping, level) ??
    write(new Output(places[0]?.path ?? '', combined, shaping, level))
  )
}

function excessOf(places: readonly Place[], shaping: Shaping, level: number): string | undefined {
  if (level > MAX_LEVELS) return `nested deeper than ${MAX_LEVELS} levels`
  const characters = places.reduce((sum, { node }) => sum + String(node.description ?? '').length, 0)
  return shaping.spend(characters) ? undefined : 'too large when inlined'
}

function write(output: Output): Shaped {
  for (const [keyword, held] of output.combined) {
    const form = Object.hasOwn(FORMS, keyword) ? FORMS[keyword] : undefined
    if (isBesideThePoint(keyword, held, output)) loseBeside(keyword, held, output)
    else if (form !== undefined) form(output, held, keyword)
    // Strict modes enforce types and ignore `nullable`: there, null is a type.
    else if (output.has(keyword) || (keyword === 'nullable' && output.shaping.rules.strict)) continue
    else if (fateOf(keyword, held.value, output.shaping.rules) === 'kept') output.set(keyword, writeInner(output, keyword, held))
    else output.decide(keyword, held)
  }
  closeObject(output)
  fillItems(output)
  fillType(output)
  return output.end()
}

/** Functions that write keywords whose form depends on other keywords. */
const FORMS: Readonly<Record<string, (output: Output, held: Held, keyword: string) => void>> = {
  $ref: writeReference,
  $defs: writeDefinitions,
  definitions: writeDefinitions,
  type: writeType,
  enum: writeValues,
  const: writeValues,
  default: writeDefault,
  description: (output, { value }) => output.set('description', value),
  properties: writeProperties,
  required: writeRequired,
  additionalProperties: writeAdditional,
  items: writeItems,
  prefixItems: writeItems,
  additionalItems: writeItems,
  anyOf: writeChoice,
  oneOf: writeChoice,
  allOf: (output, held) => output.set('allOf', writeInner(output, 'allOf', held)),
}

/**
 * Returns true if a keyword doesn't apply to the declared type and the dialect allows only single types. The API would reject it.
 */
function isBesideThePoint(keyword: string, { value }: Held, output: Output): boolean {
  if (output.shaping.rules.types === undefined) return false
  const type = listedType(output) ?? output.value('type')
  const subject = subjectOf(keyword, value)
  return typeof type === 'string' && subject !== undefined && !isAbout(subject, type)
}

/**
 * Handles a keyword that doesn't apply to the declared type. If the values are sent as strings, moves it to the description;
 * otherwise drops it.
 */
function loseBeside(keyword: string, held: Held, output: Output): void {
  if (listedType(output) === TEXTS) output.move(keyword, held)
  else output.lose(keyword, held, 'dropped', 'does not apply to this type')
}

/** Writes a keyword, and shapes the schemas inside its value. */
function writeInner(output: Output, keyword: string, { value, places }: Held): unknown {
  const [place] = places
  if (place === undefined) return value
  const plans: RestorePlan[] = []
  const inner = (node: unknown, ...keys: readonly (string | number)[]) => {
    if (typeof node === 'boolean') return node
    const { schema, plan } = output.inner([placeIn(place, node, keyword, ...keys)])
    if (plan !== undefined) plans.push(plan)
    return schema
  }
  const written = mapSchemas(keyword, value, inner)
  if (plans.length > 0 && OF_THE_SAME_VALUE.has(keyword)) output.plan({ also: plans })
  else if (plans.length > 0 && keyword !== 'not')
    output.lose(keyword, { value, places }, 'widened', "restore() doesn't convert values under this keyword")
  return written
}

const OF_THE_SAME_VALUE = new Set(['allOf', 'if', 'then', 'else', 'dependentSchemas'])

function mapSchemas(keyword: string, value: unknown, map: (node: unknown, ...keys: (string | number)[]) => unknown): unknown {
  if (SCHEMA_KEYWORDS.has(keyword) && isSchema(value)) return map(value)
  if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return value.map((node, index) => map(node, index))
  if (!MAP_KEYWORDS.has(keyword) || !isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, node]) => [name, map(node, name)]))
}
