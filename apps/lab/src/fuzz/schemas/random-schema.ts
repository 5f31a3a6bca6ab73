/** Generates random recursive and combined schemas, and values for them: nested, wide, valid, almost valid, and invalid. */
import type { Random } from '../random.ts'

export type RandomSchema = { readonly [keyword: string]: unknown }

const NAMES = ['a', 'b', 'of', 'op', 'items'] as const
const OPS = ['not', 'all', 'any', 'leaf'] as const
const PATTERNS = ['^a+$', '(a|aa)+$', '^[a-z]+(-[a-z]+)*$', '\\s+$', '^(?=.*a).*b$', 'a*a*b'] as const

/** Generates an object schema with two to four definitions that refer to each other. The interpreter validates some of the schemas. */
export function randomSchema(random: Random): RandomSchema {
  const names = Array.from({ length: 2 + random.below(3) }, (_, index) => `d${index}`)
  const $defs = Object.fromEntries(names.map((name, index) => [name, node(random, names, 0, names.slice(index + 1))]))
  const properties = { a: ref(random, names), b: node(random, names, 1) }
  // This keyword changes no result, but causes the interpreter to validate the schema.
  const wide = random.chance(0.1) ? wideKeyword(random) : {}
  return { type: 'object', properties, $defs, ...wide, ...(random.chance(0.3) && { unevaluatedProperties: true }) }
}

/** Generates a keyword with many names, whose code may be much larger than the schema. */
function wideKeyword(random: Random): RandomSchema {
  const names = Array.from({ length: 1 + random.below(200) }, (_, index) => index.toString(36))
  const each = (member: unknown) => Object.fromEntries(names.map((name) => [name, member]))
  return random.pick<() => RandomSchema>([
    () => ({ dependentRequired: each(names) }),
    () => ({ dependencies: each(names) }),
    () => ({ allOf: names.map(() => ({ required: names })) }),
    () => ({ allOf: names.map(() => ({ enum: [names] })) }),
    () => ({ allOf: names.map((name) => ({ properties: { [name.repeat(5_000)]: { required: names.slice(0, 20) } } })) }),
    () => ({ patternProperties: each({ type: 'string' }), additionalProperties: { minProperties: 1 } }),
  ])()
}

function ref(random: Random, names: readonly string[]): RandomSchema {
  return { $ref: `#/$defs/${names[random.below(names.length)]}` }
}

/**
 * Generates a node. `also` contains the definitions that the node may require for the same value. A definition that requires itself for
 * the same value is refused.
 */
function node(random: Random, names: readonly string[], depth: number, also = names): RandomSchema {
  const inner = () => (random.chance(0.6) || depth > 2 ? ref(random, names) : node(random, names, depth + 1))
  const required = () => (random.chance(0.6) && also.length > 0 ? ref(random, also) : node(random, names, depth + 1, also))
  const several = (one = inner) => Array.from({ length: 1 + random.below(4) }, one)
  // A definition must not be just a reference, because it might refer to itself.
  const kind = depth === 0 ? 3 + random.below(6) : random.below(depth > 2 ? 3 : 9)
  switch (kind) {
    case 0:
      return random.pick<RandomSchema>([
        { type: 'string' },
        { type: 'string', pattern: random.pick(PATTERNS) },
        { enum: [...OPS, 1, null] },
      ])
    case 1:
      return random.pick<RandomSchema>([{ type: 'number', minimum: 3 }, { type: 'integer' }, { type: ['null', 'boolean'] }])
    case 2:
      return also.length > 0 ? ref(random, also) : { type: 'string' }
    case 3:
      return random.chance(0.8) ? { type: 'array', items: inner() } : listNode(random, inner)
    case 4:
      return { anyOf: several() }
    case 5:
      return { oneOf: several() }
    case 6:
      return { allOf: several(required) }
    case 7:
      return { anyOf: OPS.map((op) => ({ type: 'object', required: ['op'], properties: { of: inner(), op: { const: op } } })) }
    default:
      return objectNode(random, inner)
  }
}

function listNode(random: Random, inner: () => RandomSchema): RandomSchema {
  const limits = { minContains: random.below(3), ...(random.chance(0.5) && { maxContains: 2 + random.below(3) }) }
  const contains = () => ({ contains: random.chance(0.5) ? inner() : { const: random.below(3) }, ...limits })
  return { type: 'array', allOf: Array.from({ length: 1 + random.below(20) }, contains) }
}

function objectNode(random: Random, inner: () => RandomSchema): RandomSchema {
  const properties = Object.fromEntries(NAMES.filter(() => random.chance(0.5)).map((name) => [name, inner()]))
  return {
    type: 'object',
    properties,
    ...(random.chance(0.5) && { required: Object.keys(properties).slice(0, 1) }),
    ...(random.chance(0.3) && { additionalProperties: random.chance(0.5) ? false : inner() }),
    ...(random.chance(0.1) && { propertyNames: { maxLength: 2 + random.below(5) } }),
    ...(random.chance(0.1) && { minProperties: random.below(3), maxProperties: 2 + random.below(4) }),
    ...(random.chance(0.1) && { dependentRequired: { a: ['b'], op: ['of', 'a'] } }),
  }
}

/** Generates arguments of a call, which may be valid or invalid. */
export function randomArguments(random: Random): Record<string, unknown> {
  if (random.chance(0.1)) return {}
  const shape = random.below(4)
  if (shape === 0) return { a: chain(random, random.below(60)), b: small(random, 0) }
  if (shape === 1) return { a: Array.from({ length: random.below(random.chance(0.1) ? 20_000 : 300) }, () => small(random, 2)) }
  return { a: small(random, 0), b: small(random, 0) }
}

/** Generates a value that is nested like a filter: it has many levels, and each level can match in several ways. */
function chain(random: Random, levels: number): unknown {
  let value = small(random, 2)
  for (let level = 0; level < levels; level++) {
    const member = random.pick(['a', 'of', 'items'])
    value = random.chance(0.2) ? [value] : { op: random.pick(OPS), [member]: value, ...(random.chance(0.2) && { b: value }) }
  }
  return value
}

function small(random: Random, depth: number): unknown {
  switch (random.below(depth > 3 ? 3 : 6)) {
    case 0:
      return random.pick(['', 'a', 'ab', 'not', ' '.repeat(50), 'a'.repeat(40)])
    case 1:
      return random.pick([0, 1, 5, 2.5])
    case 2:
      return random.pick([null, true, 'leaf'])
    case 3:
      return Array.from({ length: random.below(4) }, () => small(random, depth + 1))
    default:
      return Object.fromEntries(
        NAMES.filter(() => random.chance(0.5)).map((name) => [name, name === 'op' ? random.pick(OPS) : small(random, depth + 1)]),
      )
  }
}
