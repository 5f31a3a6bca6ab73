/** Checks the policies about arguments: a parameter that has two values, and a call without arguments. */
import type { ToolSpec } from '@x/tool-core'
import { parseArguments } from '../../arguments/parse.ts'
import type { Dialect, DialectPolicy } from '../../dialects/define/dialect.ts'
import type { RawToolCall } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject, SampleTurn } from '../dialect-check.ts'
import { quote } from './written-turns.ts'

export const ARGUMENT_POLICY_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'repeated-parameter',
    name: 'repeatedParameter: a parameter with two different values is never merged silently',
    check({ dialect, samples }) {
      const [key, other] = KEYS
      const text = writeCall({ dialect }, { [key]: VALUES[0], [other]: VALUES[1] }).replaceAll(other, key)
      for (const repeatedParameter of ['malformed', 'first', 'last', 'list'] as const) {
        const { toolCalls, malformedCalls = [] } = dialect.parse(text, { tools: [TOOL], repeatedParameter })
        const shown = `With repeatedParameter: '${repeatedParameter}', ${quote(text)}`
        ensure(toolCalls.length + malformedCalls.length > 0, `${shown} is neither a call nor malformed`)
        for (const call of toolCalls) ensureChosen(call, key, repeatedParameter, shown)
      }
      for (const sample of samples.flatMap(repeating)) {
        const { toolCalls } = dialect.parse(sample.text, { tools: sample.tools, repeatedParameter: 'malformed' })
        const shown = `With repeatedParameter: 'malformed', ${quote(sample.text)}`
        for (const call of toolCalls) ensureChosen(call, sample.key, 'malformed', shown)
      }
    },
  },
  {
    id: 'missing-arguments',
    name: 'missingArguments: a call without arguments has none or is malformed, depending on the policy',
    check({ dialect, samples }) {
      const without = samples.filter(({ calls }) => calls.length === 1 && Object.keys(calls[0]?.args ?? {}).length === 0)
      const written = { text: writeCall({ dialect }, {}), tools: [TOOL] }
      for (const { text, tools } of [written, ...without]) {
        const bare = text.replace(EMPTY_MEMBER, '')
        for (const one of new Set([text, bare, text.replace('{}', '')])) ensureNone(dialect, one, tools)
        const { toolCalls } = dialect.parse(bare, { tools, missingArguments: 'malformed' })
        if (bare !== text) ensureSame(toolCalls, [], `With missingArguments: 'malformed', the calls of ${quote(bare)}`)
      }
    },
  },
]

const NAME = 'look_up'
const KEYS = ['subject', 'purpose'] as const
const VALUES = ['green tea', 'black tea'] as const
const TOOL = {
  type: 'function',
  function: {
    name: NAME,
    description: 'Looks something up.',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(KEYS.map((key) => [key, { type: 'string', default: 'none' }])),
      required: KEYS,
    },
  },
} as const satisfies ToolSpec
/** A member of a JSON object whose value is an empty object, with the comma before or after it. */
const EMPTY_MEMBER = /,\s*"\w+"\s*:\s*\{\}|"\w+"\s*:\s*\{\}\s*,/

function writeCall({ dialect }: Pick<DialectSubject, 'dialect'>, args: object): string {
  const formatted = dialect.formatCall({ id: 'call_0', name: NAME, arguments: JSON.stringify(args) })
  if (!formatted.ok)
    ensure(false, `The call ${NAME}(${JSON.stringify(args)}) was refused: ${formatted.code}, ${formatted.message}`)
  return formatted.text
}

/** Throws if one of the values was chosen against the policy or without a tag. */
function ensureChosen(call: RawToolCall, key: string, policy: DialectPolicy['repeatedParameter'], shown: string): void {
  // JSON that repeats the key is passed through, so its reader sees both values.
  const isKept = call.arguments.split(JSON.stringify(key)).length > 2
  const args = argsOf(call)
  if (isKept || args === undefined) return
  ensure(policy !== 'malformed', `${shown} is a call with the arguments ${JSON.stringify(args)}`)
  ensureSame(args[key], { first: VALUES[0], last: VALUES[1], list: VALUES }[policy], `${shown}, the parameter ${key}`)
  ensure(call.tags?.includes('repeated_parameter') === true, `${shown} has no tag`)
}

function argsOf({ arguments: text }: RawToolCall): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseArguments(text)
  return parsed.ok ? parsed.value : undefined
}

/** Throws if a call without arguments is lost, or has arguments. */
function ensureNone(dialect: Dialect, text: string, tools: readonly ToolSpec[]): void {
  const { toolCalls, malformedCalls = [], text: prose } = dialect.parse(text, { tools, missingArguments: 'empty' })
  for (const call of toolCalls) ensureSame(argsOf(call), {}, `The arguments of ${quote(text)}`)
  const isShown = toolCalls.length + malformedCalls.length > 0 || tools.some((tool) => prose.includes(tool.function.name))
  ensure(isShown, `Neither a call, nor text, nor in \`malformedCalls\`: ${quote(text)}`)
}

interface Repeating extends Pick<SampleTurn, 'text' | 'tools'> {
  readonly key: string
}

/** Returns the sample with its second parameter renamed to its first one. Skips samples in which these words have other meanings. */
function repeating({ text, calls, tools }: SampleTurn): readonly Repeating[] {
  const args = calls[0]?.args ?? {}
  const [key = '', other = ''] = Object.keys(args)
  const partsOf = (word: string) => text.split(new RegExp(`(?<![\\w-])${word}(?![\\w-])`))
  const isUsable = calls.length === 1 && [key, other].every((word) => /^\w+$/.test(word)) && args[key] !== args[other]
  return isUsable && partsOf(key).length === partsOf(other).length ? [{ text: partsOf(other).join(key), tools, key }] : []
}
