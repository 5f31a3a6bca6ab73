/** Converts BFCL's function documents to JSON Schema: replaces their Python, Java and JavaScript types, and reports each change. */
import { pointerSegment } from '@x/tool-core'

export interface Conversion {
  /** JSON pointer into the document. */
  readonly path: string
  /**
   * - `type`: the type was renamed.
   * - `any`: the type was removed.
   * - `default`: Python's notation for no default was removed.
   * - `optional`: the keyword was removed.
   */
  readonly tag: 'type' | 'any' | 'default' | 'optional'
  readonly from: string
  readonly to?: string
}

export interface Converted {
  readonly schema: Readonly<Record<string, unknown>>
  readonly conversions: readonly Conversion[]
}

export function convertBFCL(parameters: unknown): Converted {
  const conversions: Conversion[] = []
  const schema = convert(parameters, '', conversions)
  return { schema: isObject(schema) ? schema : { type: 'object', properties: {} }, conversions }
}

/** The leaderboard's own mapping. All other types are already JSON Schema types. */
const TYPES: ReadonlyMap<string, string | undefined> = new Map([
  ['dict', 'object'],
  ['HashMap', 'object'],
  ['Hashtable', 'object'],
  ['float', 'number'],
  ['double', 'number'],
  ['long', 'integer'],
  ['int', 'integer'],
  ['byte', 'integer'],
  ['short', 'integer'],
  ['Bigint', 'integer'],
  ['tuple', 'array'],
  ['list', 'array'],
  ['ArrayList', 'array'],
  ['Array', 'array'],
  ['Queue', 'array'],
  ['Stack', 'array'],
  ['String', 'string'],
  ['char', 'string'],
  ['Boolean', 'boolean'],
  ['bool', 'boolean'],
  ['any', undefined],
  ['', undefined],
])

function convert(node: unknown, path: string, conversions: Conversion[]): unknown {
  if (Array.isArray(node)) return node.map((item, index) => convert(item, `${path}/${index}`, conversions))
  if (!isObject(node)) return node
  const entries = Object.entries(node).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    const at = `${path}/${keyword}`
    if (keyword === 'type' && typeof value === 'string' && TYPES.has(value)) return convertType(value, at, conversions)
    if (keyword === 'properties' && isObject(value)) {
      const properties = Object.entries(value).map(
        ([name, property]) => [name, convert(property, `${at}/${pointerSegment(name)}`, conversions)] as const,
      )
      return [[keyword, Object.fromEntries(properties)]]
    }
    if (keyword === 'optional' || (keyword === 'default' && (value === null || value === 'None'))) {
      conversions.push({ path: at, tag: keyword === 'optional' ? 'optional' : 'default', from: String(value) })
      return []
    }
    return [[keyword, ['enum', 'default', 'required'].includes(keyword) ? value : convert(value, at, conversions)]]
  })
  return Object.fromEntries(entries)
}

function convertType(type: string, path: string, conversions: Conversion[]): readonly (readonly [string, unknown])[] {
  const to = TYPES.get(type)
  conversions.push(to === undefined ? { path, tag: 'any', from: type } : { path, tag: 'type', from: type, to })
  return to === undefined ? [] : [['type', to]]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
