/** Finds integers that a JavaScript number can't represent exactly, and numbers that are too large for one. */
import { isDigit } from './scanner/characters.ts'

type Node = Readonly<Record<string, unknown>>

/**
 * Returns true if the value contains an unsafe integer where the schema requires an integer. Uses recursion, because the value's
 * depth is limited and the schema is followed no deeper than the value.
 */
export function hasUnsafeInteger(schema: unknown, value: unknown, outer: unknown = schema, seen: Seen = new Map()): boolean {
  const root = isNode(schema) && isNode(schema.$defs) ? schema : outer
  const isUnsafe = Number.isInteger(value) && !Number.isSafeInteger(value)
  if (!isUnsafe && !isNode(value)) return false
  const schemas = seen.get(value) ?? new Set()
  seen.set(value, schemas)
  return [...alternativesOf(schema, root)].some((node) => {
    if (schemas.has(node)) return false
    schemas.add(node)
    return isNode(value) ? hasUnsafeWithin(node, value, root, seen) : [node.type].flat().includes('integer')
  })
}

/** The schemas with which each part of the value was searched. Several members of a union may contain the same schema. */
type Seen = Map<unknown, Set<Node>>

/**
 * Returns true if an integer in the value has other digits than in the text, or if a number became infinite, as `1e400` does.
 * Takes longer than parsing, so call this only for a value that contains an unsafe number. If the text isn't JSON, digits
 * inside its strings count too.
 */
export function losesDigits(text: string, value: unknown, isJson: boolean): boolean {
  const lost = new Set([Number.POSITIVE_INFINITY])
  let isInString = false
  for (const [token] of text.matchAll(isJson ? LONG_OR_QUOTE : LONG)) {
    if (token === '"') isInString = !isInString
    if (isInString || !isDigit(token.charCodeAt(0))) continue
    const digits = token.replaceAll('_', '')
    const number = Number(digits)
    // Of an infinite number, no digits are left to compare. It may have so many that the comparison takes long.
    if (Number.isFinite(number) && !Number.isSafeInteger(number) && !isWritten(number, digits)) lost.add(number)
  }
  return holdsAny(value, lost)
}

/** Returns true if the number has these digits, ignoring zeros at either end. */
function isWritten(number: number, digits: string): boolean {
  return number.toExponential().split('e', 1)[0]?.replace('.', '') === digits.replace(/^0+|0+$/g, '')
}

/** 16 or more digits, which a double may not represent exactly. Underscores may separate the digits (`1_000`). */
const LONG = /\d(?:_?\d){15,}/g
/** Also matches quotes and escapes, to tell which digits are inside a string. */
const LONG_OR_QUOTE = /"|\\.|\d{16,}/gs

function holdsAny(value: unknown, numbers: ReadonlySet<number>): boolean {
  if (typeof value === 'number') return numbers.has(Math.abs(value))
  return isNode(value) && Object.values(value).some((inner) => holdsAny(inner, numbers))
}

function hasUnsafeWithin(schema: Node, value: Node, root: unknown, seen: Seen): boolean {
  if (Array.isArray(value)) return value.some((item, index) => hasUnsafeInteger(itemAt(schema, index), item, root, seen))
  return Object.keys(value).some((key) =>
    propertiesAt(schema, key).some((property) => hasUnsafeInteger(property, value[key], root, seen)),
  )
}

/** Returns the schemas that a value may match: the schema itself, and the members of its unions. A union may contain itself. */
function alternativesOf(schema: unknown, root: unknown): ReadonlySet<Node> {
  const found = new Set<Node>()
  const open = [schema]
  // Isn't recursive, because a chain of references may be long.
  for (const one of open) {
    const node = isNode(one) ? resolve(one, root) : undefined
    if (node === undefined || found.has(node)) continue
    found.add(node)
    for (const members of [node.anyOf, node.oneOf, node.allOf])
      if (Array.isArray(members)) for (const member of members) open.push(member)
  }
  return found
}

/**
 * Resolves a reference by the last segment of its pointer, which is a name in `$defs`. Doesn't follow a reference to another reference.
 */
function resolve(schema: Node, root: unknown): Node | undefined {
  if (typeof schema.$ref !== 'string') return schema
  const name = schema.$ref.split('/').at(-1) as string
  const definitions = [schema.$defs, isNode(root) ? root.$defs : undefined].find(
    (defs) => isNode(defs) && Object.hasOwn(defs, name),
  )
  const found = isNode(definitions) ? definitions[name] : undefined
  return isNode(found) && found.$ref === undefined ? found : undefined
}

function itemAt({ items, prefixItems }: Node, index: number): unknown {
  const first = Array.isArray(prefixItems) ? prefixItems : items
  return Array.isArray(first) ? (first[index] ?? (Array.isArray(items) ? undefined : items)) : items
}

function propertiesAt({ properties, patternProperties, additionalProperties }: Node, key: string): readonly unknown[] {
  if (isNode(properties) && Object.hasOwn(properties, key)) return [properties[key]]
  return [...(isNode(patternProperties) ? Object.values(patternProperties) : []), additionalProperties]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}
