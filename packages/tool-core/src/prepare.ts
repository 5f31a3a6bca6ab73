/** From what a model sent to what a schema can judge: a fresh copy, tagged where it differs. The only coercion of the project. */
import { ToolError } from './errors.ts'
import { forbiddenKeyOf, MAX_DEPTH } from './faults.ts'
import { hasDefault, isSchemaNode, propertiesOf, requiredOf, type SchemaNode, soleMember, typesOf } from './schema.ts'
import type { Issue } from './validate.ts'

/**
 * What was changed in an argument:
 * - `defaulted`: left out, filled from the schema's default;
 * - `stripped`: not declared by the schema, removed;
 * - `null_dropped`: `null` for an optional property that does not take null, removed;
 * - `coerced`: a whole string read as the number or boolean that the schema asks for (`"2"` → 2, `"true"` → true);
 * - `parsed_json`: a whole string read as the array or object that the schema asks for.
 */
export type ArgumentTagName = 'defaulted' | 'stripped' | 'null_dropped' | 'coerced' | 'parsed_json'

export interface ArgumentTag {
  readonly tag: ArgumentTagName
  /** JSON pointer of the argument. */
  readonly path: string
}

export interface Prepared {
  readonly args: Record<string, unknown>
  readonly tags: readonly ArgumentTag[]
  /** What no schema may let pass: a forbidden key. */
  readonly issues: readonly Issue[]
}

const DIGITS = /^-?\d+$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

interface Walk {
  readonly tags: ArgumentTag[]
  readonly issues: Issue[]
}

/**
 * Copies the arguments of a call and makes the few changes that cannot change their meaning, each tagged. The caller's
 * object is never touched; `null` is kept, or counts as left out; a string is read as something else only as a whole.
 * Throws `invalid_arguments` for what is no object and for data nested deeper than 512 levels.
 */
export function prepareArgs(schema: object, args: object): Prepared {
  if (!isSchemaNode(args)) throw new ToolError('invalid_arguments', 'The arguments must be an object.')
  const walk: Walk = { tags: [], issues: [] }
  const copy = copyObject(schema as SchemaNode, args, '', 0, walk)
  return { args: copy, tags: walk.tags, issues: walk.issues }
}

function copyValue(schema: SchemaNode, value: unknown, path: string, depth: number, walk: Walk): unknown {
  if (depth > MAX_DEPTH) throw new ToolError('invalid_arguments', `The arguments are nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) return copyArray(soleMember(schema, 'array'), value, path, depth, walk)
  if (isSchemaNode(value)) return copyObject(soleMember(schema, 'object'), value, path, depth, walk)
  if (typeof value === 'string') return copyString(schema, value, path, depth, walk)
  return value
}

function copyObject(schema: SchemaNode, value: SchemaNode, path: string, depth: number, walk: Walk): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const open = !isClosed(schema)
  const forbidden = forbiddenKeyOf(value)?.split('.')[0]
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const at = `${path}/${pointerSegment(key)}`
    if (key === forbidden) walk.issues.push({ path: at, keyword: 'forbidden', message: 'is a forbidden key' })
    else if (Object.hasOwn(properties, key)) {
      const property = nodeOf(properties[key])
      if (value[key] === undefined) continue
      if (value[key] === null && !takesNull(property) && !requiredOf(schema).includes(key))
        walk.tags.push({ tag: 'null_dropped', path: at })
      else copy[key] = copyValue(property, value[key], at, depth + 1, walk)
    } else if (open) copy[key] = copyValue(additional(schema), value[key], at, depth + 1, walk)
    else walk.tags.push({ tag: 'stripped', path: at })
  }
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(copy, key) || !hasDefault(property)) continue
    copy[key] = structuredClone(property.default)
    walk.tags.push({ tag: 'defaulted', path: `${path}/${pointerSegment(key)}` })
  }
  return copy
}

function copyArray(schema: SchemaNode, value: readonly unknown[], path: string, depth: number, walk: Walk): unknown[] {
  const { items } = schema
  return value.map((item, index) => {
    const itemSchema = Array.isArray(items) ? items[index] : items
    return copyValue(nodeOf(itemSchema), item, `${path}/${index}`, depth + 1, walk)
  })
}

function copyString(schema: SchemaNode, value: string, path: string, depth: number, walk: Walk): unknown {
  const types = typesOf(schema)
  if (types.length === 0 || types.includes('string')) return value
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) {
    const number = Number(value)
    // An id such as 9007199254740993 would become another number.
    const exact = Number.isSafeInteger(number) || (types.includes('number') && !DIGITS.test(value))
    if (Number.isFinite(number) && exact) return tagged('coerced', number, path, walk)
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return tagged('coerced', value === 'true', path, walk)
  if (types.includes('array') || types.includes('object')) {
    const parsed = parseWhole(value)
    const type = Array.isArray(parsed) ? 'array' : isSchemaNode(parsed) ? 'object' : undefined
    if (type && types.includes(type)) {
      walk.tags.push({ tag: 'parsed_json', path })
      return copyValue(schema, parsed, path, depth, walk)
    }
  }
  return value
}

function tagged(tag: ArgumentTagName, value: unknown, path: string, walk: Walk): unknown {
  walk.tags.push({ tag, path })
  return value
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ANY: SchemaNode = Object.freeze({})

/** Strips only where the object's properties are all known; a schema that says `additionalProperties` decides itself. */
function isClosed(schema: SchemaNode): boolean {
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return false
  return schema.type === 'object' && isSchemaNode(schema.properties) && !COMPOSED.some((keyword) => keyword in schema)
}

const COMPOSED = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'unevaluatedProperties']

/** What the undeclared properties must be, where nothing else says so. */
function additional(schema: SchemaNode): SchemaNode {
  return schema.patternProperties === undefined ? nodeOf(schema.additionalProperties) : ANY
}

/** A schema may also be `true`, or missing. */
function nodeOf(schema: unknown): SchemaNode {
  return isSchemaNode(schema) ? schema : ANY
}

function takesNull(schema: SchemaNode): boolean {
  if (schema.nullable === true) return true
  const types = typesOf(schema)
  if (types.length > 0) return types.includes('null')
  if (Array.isArray(schema.enum)) return schema.enum.includes(null)
  return 'const' in schema ? schema.const === null : true
}

function pointerSegment(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1')
}
