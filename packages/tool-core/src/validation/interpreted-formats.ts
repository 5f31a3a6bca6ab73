/** Formats for the interpreting validator: those of AJV, put into the library's table under names that are ours alone. */
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import { loadFormats } from './formats.ts'

const OURS = 'tool-core/'

type Table = Record<string, (text: string) => boolean>

/** The library looks a format up in this table, and only for texts. */
export async function addFormats(table: Table): Promise<void> {
  for (const [name, format] of Object.entries(await loadFormats())) {
    const judge = typeof format === 'object' && 'validate' in format ? format.validate : format
    if (judge instanceof RegExp) table[OURS + name] = (text) => judge.test(text)
    else if (typeof judge === 'function' && !Object.hasOwn(OF_NUMBERS, name)) table[OURS + name] = judge as Table[string]
  }
}

const INTEGER = { multipleOf: 1 }
const OF_NUMBERS: Readonly<Record<string, object>> = {
  int32: { ...INTEGER, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: INTEGER,
  float: {},
  double: {},
}

/** The keywords that stand for a format. */
export function translateFormat(name: string): SchemaNode {
  return { format: OURS + name, ...(Object.hasOwn(OF_NUMBERS, name) && OF_NUMBERS[name]) }
}

/** The name of the format for which this translated schema stands. */
export function formatOf(node: unknown): string | undefined {
  const name = isSchemaNode(node) ? node.format : undefined
  return typeof name === 'string' && name.startsWith(OURS) ? name.slice(OURS.length) : undefined
}
