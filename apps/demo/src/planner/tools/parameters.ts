/** Reads what the planner needs to know about each parameter from a JSON Schema of any form. */

import { isObject } from '../json.ts'
import { stem, stemsOf, wordsOfName } from '../words/stem.ts'
import { readCodes } from './codes.ts'

export interface Parameter {
  readonly name: string
  /** The words of the name. `stems` contains their stems. */
  readonly words: readonly string[]
  readonly stems: readonly string[]
  readonly description: string
  readonly descriptionStems: ReadonlySet<string>
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'any'
  readonly choices?: readonly (string | number)[] | undefined
  readonly format?: string | undefined
  /** The accepted codes, by their names. */
  readonly codes: ReadonlyMap<string, string>
  readonly item?: Parameter | undefined
  readonly properties: readonly Parameter[]
  readonly required: boolean
  /** The minimum and the maximum of a number, if the schema has them. */
  readonly least?: number | undefined
  readonly most?: number | undefined
  readonly bound?: 'max' | 'min' | undefined
  readonly identifier: boolean
}

type Node = Readonly<Record<string, unknown>>

/** Returns the parameters of an object schema, in the order of the schema. */
export function readParameters(schema: unknown): Parameter[] {
  return propertiesOf(schema, schema, 0)
}

const DEEPEST = 4
const MOST_PROPERTIES = 64

function propertiesOf(schema: unknown, root: unknown, depth: number): Parameter[] {
  const node = resolved(schema, root)
  if (node === undefined || !isObject(node.properties) || depth > DEEPEST) return []
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  return Object.entries(node.properties)
    .slice(0, MOST_PROPERTIES)
    .map(([name, property]) => readParameter(name, property, required.has(name), root, depth))
}

function readParameter(name: string, schema: unknown, required: boolean, root: unknown, depth: number): Parameter {
  const node = resolved(schema, root) ?? {}
  const outer = isObject(schema) ? schema : {}
  const description = textOf(node.description ?? outer.description)
  const words = wordsOfName(name)
  const choices = choicesOf(outer) ?? choicesOf(node)
  const type = typeOf(node, choices)
  return {
    name,
    words,
    stems: words.map(stem),
    description,
    descriptionStems: new Set(stemsOf(description)),
    type,
    ...(choices !== undefined && { choices }),
    ...(typeof node.format === 'string' && { format: node.format }),
    codes: readCodes(words, description),
    ...(type === 'array' && depth < DEEPEST && { item: readParameter(name, node.items, false, root, depth + 1) }),
    properties: type === 'object' ? propertiesOf(node, root, depth + 1) : [],
    required: required && !('default' in node) && !('default' in outer),
    ...(typeof node.minimum === 'number' && { least: node.minimum }),
    ...(typeof node.maximum === 'number' && { most: node.maximum }),
    ...boundOf(words, description),
    identifier: IDENTIFIERS.has(words.at(-1) ?? ''),
  }
}

const IDENTIFIERS = new Set(['id', 'ids', 'uuid', 'guid', 'identifier'])
const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const

function typeOf(node: Node, choices: readonly unknown[] | undefined): Parameter['type'] {
  const written = Array.isArray(node.type) ? node.type.find((name) => name !== 'null') : node.type
  const known = TYPES.find((name) => name === written)
  if (known !== undefined) return known
  if (isObject(node.properties)) return 'object'
  if (node.items !== undefined) return 'array'
  return typeof choices?.[0] === 'string' ? 'string' : 'any'
}

/** Returns the closed set of values, from `enum`, `const`, or a union of constants. */
function choicesOf(node: Node, depth = 0): readonly (string | number)[] | undefined {
  const branches = depth > 2 ? [] : [node.anyOf, node.oneOf].find(Array.isArray)
  const listed = Array.isArray(node.enum)
    ? node.enum
    : 'const' in node
      ? [node.const]
      : branches?.flatMap((branch) => (isObject(branch) ? (choicesOf(branch, depth + 1) ?? []) : []))
  const choices = listed?.filter((value) => typeof value === 'string' || typeof value === 'number').slice(0, 200)
  return choices !== undefined && choices.length > 0 ? choices : undefined
}

const BOUNDS = new Map<string, 'max' | 'min'>([
  ['max', 'max'],
  ['maximum', 'max'],
  ['upper', 'max'],
  ['min', 'min'],
  ['minimum', 'min'],
  ['lower', 'min'],
])

function boundOf(words: readonly string[], description: string): { bound?: 'max' | 'min' } {
  const leading = description
    .toLowerCase()
    .slice(0, 40)
    .split(/[^a-z]+/)
    .slice(0, 3)
  const word = [words[0], words.at(-1), ...leading].find((candidate) => BOUNDS.has(candidate ?? ''))
  const bound = BOUNDS.get(word ?? '')
  return bound === undefined ? {} : { bound }
}

/** Follows references inside the document, and uses the first branch of a union that isn't null. */
function resolved(schema: unknown, root: unknown): Node | undefined {
  let node = schema
  for (let hops = 0; hops < 8; hops++) {
    if (!isObject(node)) return undefined
    const branches: readonly unknown[] | undefined = [node.anyOf, node.oneOf, node.allOf].find((list) => Array.isArray(list)) as
      | readonly unknown[]
      | undefined
    if (typeof node.$ref === 'string') node = targetOf(node.$ref, root)
    else if (node.type === undefined && node.properties === undefined && branches !== undefined) {
      node = branches.find((branch) => isObject(branch) && branch.type !== 'null')
    } else return node
  }
  return undefined
}

function targetOf(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined
  let node: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean).slice(0, 16)) {
    node = isObject(node) && Object.hasOwn(node, part) ? node[part] : undefined
  }
  return node
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1000) : ''
}
