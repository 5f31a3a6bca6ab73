/** Writes an object's properties: their names, which are required, and whether others are allowed. */

import { createNames } from '../names.ts'
import type { PropertyPlan } from '../restore.ts'
import { fateOf } from '../rules/tool-rules.ts'
import { allowsAll, isSchema, toList } from '../schema/keywords.ts'
import { type Held, placesOf } from './combine.ts'
import type { Output } from './output.ts'
import type { Shaped } from './shaping.ts'

export function writeProperties(output: Output, held: Held): void {
  const { rules } = output.shaping
  if (!isSchema(held.value)) {
    output.set('properties', {})
    return
  }
  const required = new Set(toList(output.value('required')))
  const toWire = keysOf(output)
  const plans = new Map<string, PropertyPlan>()
  const entries: [string, unknown][] = []
  for (const name of Object.keys(held.value)) {
    const places = placesOf(held, 'properties', name)
    const wireName = toWire(name)
    const path = places[0]?.path ?? output.path
    if (wireName !== name) output.shaping.lose(path, 'name', 'widened', `called ${wireName}; restore renames it back`)
    const inner = output.inner(places)
    const isOptional = rules.objects?.is === 'closed and required' && !required.has(name)
    const isFilled = isOptional && !allowsNull(inner.schema)
    if (isFilled) output.shaping.lose(path, 'nullable', 'widened', 'optional: null means omitted, and restore removes it')
    entries.push([wireName, isFilled ? orNull(inner) : inner.schema])
    if (wireName !== name || isFilled)
      plans.set(wireName, output.shaping.changing({ name, isOptional: isFilled, plan: inner.plan }))
    else if (inner.plan !== undefined) plans.set(wireName, { name, isOptional: false, plan: inner.plan })
  }
  output.set('properties', Object.fromEntries(entries))
  if (plans.size > 0) output.plan({ properties: plans })
  loseNames(output, new Set(Object.keys(held.value).filter((name) => toWire(name) !== name)))
}

/** Reports keywords next to `properties` that refer to a renamed property by its old name. */
function loseNames({ combined, shaping }: Output, renamed: ReadonlySet<string>): void {
  if (renamed.size === 0) return
  for (const keyword of SPEAK_OF_NAMES) {
    const held = combined.get(keyword)
    if (held === undefined || fateOf(keyword, held.value, shaping.rules) !== 'kept') continue
    const isAboutAny = keyword === 'patternProperties' || keyword === 'propertyNames'
    if (!isAboutAny && !namesAny(held.value, (name) => renamed.has(name))) continue
    for (const { path } of held.places) shaping.lose(path, keyword, 'widened', OTHER_NAMES)
  }
}

const SPEAK_OF_NAMES = [
  ...['anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'propertyNames', 'patternProperties'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas'],
]

export const OTHER_NAMES = 'refers to property names that differ in the request'

/** Returns true if the check passes for any key or string in the value. */
export function namesAny(value: unknown, isOne: (name: string) => boolean): boolean {
  if (typeof value === 'string') return isOne(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => isOne(key) || namesAny(inner, isOne))
}

function keysOf({ combined, shaping: { rules } }: Output): (name: string) => string {
  const properties = combined.get('properties')?.value
  if (rules.keys === undefined || !isSchema(properties)) return (name) => name
  // A required property that isn't declared keeps its name, because `restore` couldn't map it back. No other property may get
  // that name.
  const required = toList(combined.get('required')?.value).filter((name) => typeof name === 'string')
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name))
  const { toWire } = createNames([...undeclared, ...Object.keys(properties)], rules.keys)
  return (name) => (Object.hasOwn(properties, name) ? toWire(name) : name)
}

function allowsNull(schema: unknown): boolean {
  if (!isSchema(schema)) return schema === true
  if (schema.nullable === true) return true
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return false
  if (schema.type !== undefined) return toList(schema.type).includes('null')
  return Array.isArray(schema.anyOf) && schema.anyOf.some(allowsNull)
}

/** Allows null for a property. Its description moves to the outer schema. */
function orNull({ schema }: Shaped): object {
  const { description, ...rest } = schema
  const isChoice = Array.isArray(rest.anyOf) && Object.keys(rest).length === 1
  const choices = isChoice ? (rest.anyOf as readonly unknown[]) : [rest]
  return { ...(description !== undefined && { description }), anyOf: [...choices, { type: 'null' }] }
}

export function writeRequired(output: Output, held: Held): void {
  const { combined, shaping } = output
  const names = Array.isArray(held.value) ? held.value.filter((name) => typeof name === 'string') : []
  const properties = combined.get('properties')?.value
  const isDeclared = (name: string) => isSchema(properties) && Object.hasOwn(properties, name)
  const sent = shaping.rules.required === undefined ? names : names.filter(isDeclared)
  if (sent.length < names.length) {
    const others = names.filter((name) => !isDeclared(name))
    output.move('required', held, others)
  }
  if (sent.length > 0 || names.length === 0) output.set('required', sent.map(keysOf(output)))
}

export function writeAdditional(output: Output, held: Held): void {
  const { objects } = output.shaping.rules
  const { value } = held
  if (!allowsAll(value)) loseParted(output, held)
  if (objects?.is === 'unclosed' && value === false) output.lose('additionalProperties', held, 'dropped')
  else if (objects?.is.startsWith('closed')) writeClosing(output, held)
  else if (isSchema(value) && fateOf('additionalProperties', value, output.shaping.rules) === 'kept') {
    const { schema, plan } = output.inner(placesOf(held, 'additionalProperties'))
    output.set('additionalProperties', schema)
    if (plan !== undefined) output.plan({ others: plan })
  } else output.decide('additionalProperties', held)
}

/** Reports properties that one subschema declares but that are additional properties for another one. */
function loseParted({ combined, shaping }: Output, { places }: Held): void {
  const names = Object.keys((combined.get('properties')?.value as object | undefined) ?? {})
  const patterns = combined.get('patternProperties')?.places ?? []
  for (const place of places) {
    const own = isSchema(place.node.properties) ? place.node.properties : {}
    if (names.every((name) => Object.hasOwn(own, name)) && patterns.every((one) => one === place)) continue
    shaping.lose(place.path, 'additionalProperties', 'widened', 'declared in one subschema, applied to the merged object')
  }
}

const NO_MAPS = "strict mode doesn't support maps with arbitrary keys"

function writeClosing(output: Output, held: Held): void {
  const hasProperties = Object.keys((output.value('properties') as object | undefined) ?? {}).length > 0
  if (held.value === false) return
  if (!allowsAll(held.value) || !hasProperties) output.lose('additionalProperties', held, 'refused', NO_MAPS)
  else output.lose('additionalProperties', held, 'dropped', 'strict mode allows no other properties')
}

/** Closes an object if the dialect requires it. An object without declared properties is a map, which can't be closed. */
export function closeObject(output: Output): void {
  const { shaping, combined, level } = output
  const objects = shaping.rules.objects?.is
  const isObject = toList(output.value('type')).includes('object') || combined.has('properties')
  if (!objects?.startsWith('closed') || !isObject) return
  const properties = Object.keys((output.value('properties') as object | undefined) ?? {})
  const isClosed = output.value('additionalProperties') === false
  if (properties.length === 0 && !isClosed && level > 0) {
    shaping.lose(output.path, 'properties', 'refused', NO_MAPS)
  }
  const declared = new Set(properties)
  const undeclared = toList(output.value('required') ?? []).filter((name) => !declared.has(String(name)))
  if (undeclared.length > 0)
    shaping.lose(output.path, 'required', 'refused', `not declared in properties: ${undeclared.join(', ')}`)
  if (!output.has('properties')) output.set('properties', {})
  if (objects === 'closed and required') output.set('required', properties.map(keysOf(output)))
  output.set('additionalProperties', false)
}
