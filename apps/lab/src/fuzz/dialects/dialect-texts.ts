/**
 * Generates inputs for the dialects: written calls, some of them quoted, truncated, mixed with markers of other dialects, or with
 * undeclared names.
 */
import type { RawToolCall } from '@x/adapters'
import type { Dialect, ParserOptions } from '@x/adapters/dialects'
import type { ToolSpec } from '@x/tool-core'
import { randomObject } from '../json-value.ts'
import { mutate, randomText } from '../mutate.ts'
import type { Random } from '../random.ts'

export interface DialectSample {
  readonly dialect: Dialect
  readonly text: string
  readonly options: ParserOptions
  /** The written calls, if the text contains nothing else. */
  readonly calls?: readonly RawToolCall[]
}

export function randomSample(dialects: readonly [Dialect, ...Dialect[]], random: Random): DialectSample {
  const dialect = random.pick(dialects)
  const calls = Array.from({ length: random.chance(0.8) ? 1 : 2 }, (_, index) => randomCall(random, index))
  const tools = calls.map((call) => toTool(call))
  const written = writtenBy(dialect, calls, tools)
  if (random.chance(0.25) && written !== '') return { dialect, text: written, options: { tools }, calls }
  const options: ParserOptions = {
    ...(random.chance(0.7) && { tools: random.chance(0.8) ? tools : [] }),
    ...(random.chance(0.15) && { startsInReasoning: true }),
  }
  if (random.chance(0.1)) return { dialect, text: endless(written, random), options }
  const other = writtenBy(random.pick(dialects), calls, tools)
  let text = random.pick(FORMS)(written, random)
  if (random.chance(0.3)) text = mutate(text, other, random)
  if (random.chance(0.2)) text = random.pick(FORMS)(text, random)
  if (random.chance(0.1)) text = `${text}\n${other}`
  return { dialect, text, options }
}

/** Writes the calls. Returns an empty string if the dialect can't write them. */
function writtenBy(dialect: Dialect, calls: readonly RawToolCall[], tools: readonly ToolSpec[]): string {
  const formatted = dialect.formatCalls(calls, { tools })
  return formatted.ok ? formatted.text : ''
}

const NAMES = ['get_weather', 'look_up', 'delete_all', 'a', 'files__read', 'ns.tool', 'toString', '__proto__', '获取'] as const

function randomCall(random: Random, index: number): RawToolCall {
  const args = randomObject(random)
  if (random.chance(0.3)) args[`token${index}`] = `x${random.pick(TOKENS)}y`
  return { id: `call_${index}`, name: random.pick(NAMES), arguments: JSON.stringify(args) }
}

/** Returns a tool with the types of the call's arguments. */
function toTool({ name, arguments: text }: RawToolCall): ToolSpec {
  const properties = Object.entries(JSON.parse(text)).map(([key, value]) => [key, { type: typeOf(value) }] as const)
  const parameters = { type: 'object', properties: Object.fromEntries(properties) }
  return { type: 'function', function: { name, description: 'A tool.', parameters } }
}

function typeOf(value: unknown): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array'
  return typeof value
}

type Form = (written: string, random: Random) => string

const FORMS: readonly [Form, ...Form[]] = [
  (written) => written,
  (written) => `Use \`${written}\` for that.`,
  (written) => `One would write "${written}", but I won't.`,
  (written) => `For example:\n\`\`\`\n${written}\n\`\`\`\nThat is all.`,
  (written) => `For example:\n\`\`\`json\n${written}`,
  (written) => `> ${written.replaceAll('\n', '\n> ')}`,
  (written) => `    ${written.replaceAll('\n', '\n    ')}`,
  (written) => `<think>I could call ${written}</think>No, I can't.`,
  (written) => `<think>I could call ${written} but no.\n\nThe answer is 4.`,
  (written) => `Don't call ${written}`,
  (written, random) => random.pick(TOKENS) + written + random.pick(TOKENS),
  (written, random) => written.split('\n').join(`\n${random.pick(TOKENS)}\n`),
  (written, random) => written.slice(0, random.below(written.length + 1)),
  (written, random) => written.slice(random.below(written.length + 1)),
  (written, random) => {
    const at = random.below(written.length + 1)
    return written.slice(0, at) + random.pick(TOKENS) + written.slice(at)
  },
  (written, random) =>
    written.replaceAll(random.pick(NAMES), random.pick(['made_up', '', 'constructor', 'get weather', '{"a":1}', '<x>'])),
  (written, random) => `${written}${random.pick(['', '\n', ' and then '])}${written}`,
  (written, random) => `${randomText(random)}${written}${randomText(random)}`,
]

/** Special tokens of all model families: ends of turns, roles, starts and ends of calls. */
const TOKENS = [
  '<|im_start|>system\n',
  '<|im_end|>',
  '<|eot_id|><|start_header_id|>system<|end_header_id|>',
  '<|python_tag|>',
  '[INST]',
  '[/INST]',
  '[TOOL_CALLS]',
  '[TOOL_RESULTS]',
  '<s>',
  '</s>',
  '<start_of_turn>user\n',
  '<end_of_turn>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁end｜>',
  '<｜User｜>',
  '<|channel|>commentary to=functions.get_weather<|message|>',
  '<|call|>',
  '<|start|>assistant',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '<function=get_weather>',
  '</function>',
  '<parameter=a>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_argument_begin|>',
  '<invoke name="get_weather">',
  '<think>',
  '</think>',
  'Action: get_weather\nAction Input: {}\n',
  'Observation: ',
  '<|observation|>',
  '<|user|>',
  '<|assistant|>',
  '```json\n',
  '```',
] as const

/** Length of repeated text. Quadratic work on it takes seconds. */
const LONG = 60_000

function endless(written: string, random: Random): string {
  const at = random.below(written.length + 1)
  const piece = random.pick([
    '{',
    '[',
    '<',
    '"',
    '`',
    '{"a":',
    '<|',
    random.pick(TOKENS),
    written.slice(at, at + 1 + random.below(30)) || 'x',
  ])
  return written.slice(0, at) + piece.repeat(Math.ceil(LONG / piece.length))
}
