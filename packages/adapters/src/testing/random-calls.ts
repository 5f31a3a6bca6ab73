/** Random calls and their tools, with names, keys and values of all kinds, including text that a dialect may misread. */
import type { ToolSpec } from '@x/tool-core'
import type { RawToolCall } from '../protocol/protocol.ts'
import type { Random } from './random.ts'

export interface RandomCall {
  readonly tool: ToolSpec
  readonly call: RawToolCall
  readonly args: Readonly<Record<string, unknown>>
}

/** Creates a random call. `fragments` are strings with a meaning in the dialect. Some values contain them. */
export function randomCall(random: Random, fragments: readonly string[], index = 0): RandomCall {
  const name = random.chance(0.8) ? `tool_${random.below(1000)}` : random.pick(ODD_NAMES)
  const keys = [...new Set(Array.from({ length: random.below(5) }, () => randomKey(random)))]
  const entries = keys.map((key) => [key, randomMember(random, fragments, 2)] as const)
  const args = Object.fromEntries(entries.map(([key, { value }]) => [key, value]))
  const properties = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema]))
  const parameters = { type: 'object', properties, required: keys }
  return {
    tool: { type: 'function', function: { name, description: 'A random tool.', parameters } },
    call: { id: `call_${index}`, name, arguments: JSON.stringify(args) },
    args,
  }
}

const ODD_NAMES = [
  'weather.get',
  'list-cities',
  'getWeather',
  'mcp__files__read',
  '获取天气',
  'ns:tool',
  'a',
  'path/to.tool',
  'get current time',
]
const KEYS = ['city', 'query', 'n', 'file_path', 'options', 'items', 'name', 'arguments', 'type', 'value', 'Ünit', 'with-dash']

function randomKey(random: Random): string {
  return random.chance(0.9) ? random.pick(KEYS) : `key_${random.below(100)}`
}

interface Member {
  readonly schema: object
  readonly value: unknown
}

function randomMember(random: Random, fragments: readonly string[], depth: number): Member {
  const kinds = depth > 0 ? KINDS : KINDS.slice(0, SCALARS)
  return (random.pick(kinds) as Kind)(random, fragments, depth)
}

type Kind = (random: Random, fragments: readonly string[], depth: number) => Member

const text: Kind = (random, fragments) => ({ schema: { type: 'string' }, value: randomText(random, fragments) })

const KINDS: readonly Kind[] = [
  text,
  text,
  (random) => ({ schema: { type: 'integer' }, value: random.below(2_000_000) - 1_000_000 }),
  (random) => ({ schema: { type: 'number' }, value: Math.round((random.number() - 0.5) * 1e9) / 1e4 }),
  (random) => ({ schema: { type: 'boolean' }, value: random.chance(0.5) }),
  (random, fragments) => ({
    schema: { type: ['string', 'null'] },
    value: random.chance(0.5) ? null : `a ${randomText(random, fragments)}`,
  }),
  (random, fragments, depth) => {
    const { schema } = randomMember(random, fragments, 0)
    return {
      schema: { type: 'array' },
      value: Array.from({ length: random.below(4) }, () => valueLike(random, fragments, schema, depth)),
    }
  },
  (random, fragments, depth) => {
    const entries = Array.from(
      { length: random.below(4) },
      (_, index) => [`k${index}`, randomMember(random, fragments, depth - 1)] as const,
    )
    const properties = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema]))
    return { schema: { type: 'object', properties }, value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])) }
  },
]
const SCALARS = 6

/** Returns another value for a schema that `randomMember` created. */
function valueLike(random: Random, fragments: readonly string[], schema: object, depth: number): unknown {
  for (let tries = 0; tries < 50; tries++) {
    const other = randomMember(random, fragments, depth - 1)
    if (JSON.stringify(other.schema) === JSON.stringify(schema)) return other.value
  }
  return 'other'
}

const PIECES = [
  ...[
    'a',
    'word',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '"',
    "'",
    '\\',
    '\\n',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    '=',
    '<',
    '>',
    '</',
    '&',
  ],
  ...[
    '😀',
    'é',
    '日本',
    '\u2028',
    '0',
    '12',
    'true',
    'null',
    'None',
    '-1.5',
    '```',
    '`',
    '#',
    '|',
    'Action:',
    'x = 1',
    '<b>bold</b>',
  ],
]

function randomText(random: Random, fragments: readonly string[]): string {
  const length = random.below(random.chance(0.1) ? 40 : 6)
  const piece = () => (fragments.length > 0 && random.chance(0.08) ? random.pick(fragments) : random.pick(PIECES))
  return Array.from({ length }, piece).join('')
}
