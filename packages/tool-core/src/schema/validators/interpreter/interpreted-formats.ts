/** Formats for the interpreting validator: AJV's formats, added to the library's table under names of this package. */
import { countingTest } from '../../pattern.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { loadFormats } from '../formats.ts'
import type { Failure } from '../issues/failure.ts'
import type { StepCounter } from '../steps.ts'

const OURS = 'tool-core/'
const OF_PATTERNS = 'tool-core-pattern/'

type Table = Record<string, (text: string) => boolean>

/** Adds the formats to the library's table. The library applies formats only to strings. */
export async function addFormats(table: Table): Promise<void> {
  for (const [name, format] of Object.entries(await loadFormats())) {
    const judge = typeof format === 'object' && 'validate' in format ? format.validate : format
    if (judge instanceof RegExp) table[OURS + name] = (text) => judge.test(text)
    else if (typeof judge === 'function' && !Object.hasOwn(OF_NUMBERS, name)) table[OURS + name] = judge as Table[string]
  }
}

/** Adds patterns as formats, because the library's own matching isn't bounded in time. Call it before each check, whose steps are counted. */
export function addPatterns(table: Table, { matchers }: SchemaFacts, counter: StepCounter): void {
  for (const [source, matcher] of matchers) table[OF_PATTERNS + source] = countingTest(matcher, counter)
}

const INTEGER = { multipleOf: 1 }
const OF_NUMBERS: Readonly<Record<string, object>> = {
  int32: { ...INTEGER, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: INTEGER,
  float: {},
  double: {},
}

/** The keywords that represent a format. */
export function translateFormat(name: string): SchemaNode {
  return { format: OURS + name, ...(Object.hasOwn(OF_NUMBERS, name) && OF_NUMBERS[name]) }
}

export function translatePattern(source: string): SchemaNode {
  return { format: OF_PATTERNS + source }
}

/** The original keyword of a translated schema, with its value. */
export function standsFor(node: unknown): Pick<Failure, 'keyword' | 'params'> | undefined {
  const name = isSchemaNode(node) ? node.format : undefined
  if (typeof name !== 'string') return undefined
  if (name.startsWith(OF_PATTERNS)) return { keyword: 'pattern', params: { pattern: name.slice(OF_PATTERNS.length) } }
  return name.startsWith(OURS) ? { keyword: 'format', params: { format: name.slice(OURS.length) } } : undefined
}
