/** Generates random values that a model might write for a schema. */
import { targetOf } from '@x/tool-core'
import type { Random } from '../../fuzz/random.ts'
import { isNode, type Node } from './shaping-place.ts'

/** Maximum depth of optional values. Deeper ones are left out. */
const MAX_LEVELS = 6

/** Generates a value. Most values match the schema, but the caller must validate them. */
export function makeInstance(schema: unknown, random: Random, root: unknown = schema, level = 0): unknown {
  if (!isNode(schema)) return random.pick<unknown>(['text', 7, true])
  if (level > 4 * MAX_LEVELS) return null
  const inner = (node: unknown) => makeInstance(node, random, root, level + 1)
  if (typeof schema.$ref === 'string') return inner({ ...asNode(targetOf(schema.$ref, root)), ...without(schema, '$ref') })
  if (Array.isArray(schema.allOf))
    return inner(schema.allOf.reduce<Node>((whole, part) => merge(whole, asNode(part)), without(schema, 'allOf')))
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = schema[keyword]
    if (Array.isArray(choices) && choices.length > 0)
      return inner(merge(without(schema, keyword), asNode(chosen(choices, random, level))))
  }
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.pick(schema.enum as [unknown])
  if (schema.nullable === true && random.chance(0.2)) return null
  return makeTyped(schema, typeOf(schema, random), random, inner, level)
}

/** Picks a random choice. Beyond the maximum depth, picks the last one, which is often null. */
function chosen(choices: readonly unknown[], random: Random, level: number): unknown {
  return level > MAX_LEVELS ? choices.at(-1) : random.pick(choices as [unknown])
}

function typeOf(schema: Node, random: Random): unknown {
  if (Array.isArray(schema.type) && schema.type.length > 0) return random.pick(schema.type as [unknown])
  if (schema.type !== undefined) return schema.type
  if ('properties' in schema) return 'object'
  return 'items' in schema || 'prefixItems' in schema
    ? 'array'
    : random.pick(['string', 'integer', 'boolean', 'null', 'object', 'array'])
}

type Inner = (node: unknown) => unknown

function makeTyped(schema: Node, type: unknown, random: Random, inner: Inner, level: number): unknown {
  switch (String(type).toLowerCase()) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
      return makeNumber(schema, random, true)
    case 'number':
      return makeNumber(schema, random, random.chance(0.5))
    case 'array':
      return makeArray(schema, random, inner, level)
    case 'object':
      return makeObject(schema, random, inner, level)
    default:
      return makeString(schema, random)
  }
}

function makeNumber(schema: Node, random: Random, isWhole: boolean): number {
  const step = numberAt(schema, 'multipleOf') ?? (isWhole ? 1 : 0.5)
  const least = numberAt(schema, 'minimum') ?? numberAt(schema, 'exclusiveMinimum')
  const most = numberAt(schema, 'maximum') ?? numberAt(schema, 'exclusiveMaximum')
  const from = least ?? (most === undefined ? random.pick([-5, 0, 1000]) : most - 10 * step)
  const steps = random.below(most === undefined ? 10 : Math.max(1, Math.floor((most - from) / step) + 1))
  const number = Math.ceil(from / step) * step + steps * step
  return number === schema.exclusiveMinimum ? number + step : number
}

const FORMATS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  date: ['2026-02-28', '1999-12-31'],
  'date-time': ['2026-02-28T10:00:00Z'],
  time: ['10:00:00Z'],
  duration: ['P3D'],
  email: ['ada@example.org'],
  hostname: ['example.org'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000'],
  uri: ['https://example.org/a'],
}
const TEXTS = ['', 'Oslo', 'a b', '12345', 'abc-9', 'Ünïcode 🌍', '2026-02-28', 'x'] as const

function makeString(schema: Node, random: Random): string {
  const samples = FORMATS[String(schema.format)]
  if (samples !== undefined) return random.pick(samples)
  const least = numberAt(schema, 'minLength') ?? 0
  const most = numberAt(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
  const fitting = TEXTS.filter((text) => typeof schema.pattern !== 'string' || isMatch(schema.pattern, text))
  const text = random.pick((fitting.length > 0 ? fitting : TEXTS) as typeof TEXTS)
  return [...text.padEnd(least, 'a')].slice(0, most).join('')
}

function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function makeArray(schema: Node, random: Random, inner: Inner, level: number): unknown[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []
  const least = Math.max(numberAt(schema, 'minItems') ?? 0, first.length > 0 && random.chance(0.8) ? first.length : 0)
  const most = numberAt(schema, 'maxItems') ?? least + (level > MAX_LEVELS ? 0 : 3)
  const length = Math.min(most, least + random.below(3))
  const rest = isNode(schema.items) ? schema.items : {}
  return Array.from({ length }, (_, index) => inner(index < first.length ? first[index] : rest))
}

function makeObject(schema: Node, random: Random, inner: Inner, level: number): object {
  const properties = asNode(schema.properties)
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const share = level > MAX_LEVELS ? 0 : 0.6
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(share))
  const undeclared = required.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(properties, name))
  const isOpen = schema.additionalProperties !== false && (Object.keys(properties).length === 0 || random.chance(0.2))
  const others = [...undeclared, ...(isOpen && level <= MAX_LEVELS ? ['other'] : [])]
  const rest = isNode(schema.additionalProperties) ? schema.additionalProperties : {}
  return Object.fromEntries([
    ...names.map((name) => [name, inner(properties[name])]),
    ...others.map((name) => [name, inner(rest)]),
  ])
}

function merge(one: Node, other: Node): Node {
  const merged: Record<string, unknown> = { ...one, ...other }
  if (isNode(one.properties) && isNode(other.properties)) merged.properties = { ...one.properties, ...other.properties }
  if (Array.isArray(one.required) && Array.isArray(other.required)) merged.required = [...one.required, ...other.required]
  return merged
}

function without(node: Node, keyword: string): Node {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== keyword))
}

function numberAt(schema: Node, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

function asNode(value: unknown): Node {
  return isNode(value) ? value : {}
}
