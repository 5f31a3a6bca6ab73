/** Checks that a dialect does what its policy says, where that can be asked of any dialect: see `DialectPolicy`. */
import type { ToolSpec } from '@x/tool-core'
import type { DialectPolicy, DialectReading, ParserOptions } from '../../dialects/dialect.ts'
import type { RawToolCall } from '../../protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject } from '../dialect-check.ts'
import { createRandom } from '../random.ts'
import { toReadCall } from './reading.ts'
import { oddTexts } from './stream.ts'
import { turnsOf, type WrittenTurn } from './written-turns.ts'

export const POLICY_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'prefix',
    name: 'a call that is cut off never becomes a call with other arguments, also where cut calls are asked for',
    check(subject) {
      const asked = new Set([subject.dialect.policy.unfinished, 'cut'] as const)
      for (const turn of fewTurns(subject)) for (const unfinished of asked) readPrefixes(subject, turn, unfinished)
    },
  },
  {
    id: 'unfinished',
    name: 'unfinished: never gives no call that lacks its end',
    check(subject) {
      for (const turn of fewTurns(subject)) {
        const calls = readPrefixes(subject, turn, 'never')
        const wrong = calls.find(({ truncated, tags = [] }) => truncated || tags.includes('missing_end'))
        ensure(wrong === undefined, `A call is read of a text that is cut off: ${quote(turn.text)}`)
      }
    },
  },
  {
    id: 'unknown-tool',
    name: 'a call of a tool that the request does not have is told as such, or not at all',
    check(subject) {
      for (const { text, calls } of fewTurns(subject)) {
        for (const call of subject.dialect.parse(text, { tools: [] }).toolCalls)
          ensure(call.tags?.includes('unknown_tool') === true, `An unknown tool has no tag: ${quote(text)}`)
        const asText = subject.dialect.parse(text, { tools: [], unknownTool: 'text' })
        ensureSame(toNames(asText), [], `With unknownTool: 'text', ${calls[0]?.call.name}`)
      }
    },
  },
  {
    id: 'text-after-calls',
    name: 'textAfterCalls: text behind calls is kept or dropped, and the calls are the same',
    check(subject) {
      for (const { text, tools } of fewTurns(subject)) {
        const longer = `${text}\n${BEHIND}`
        const keep = subject.dialect.parse(longer, { tools, textAfterCalls: 'keep' })
        const drop = subject.dialect.parse(longer, { tools, textAfterCalls: 'drop' })
        ensureSame(drop.toolCalls, keep.toolCalls, `The calls of ${quote(longer)}`)
        ensure(keep.text.endsWith(BEHIND), `The text behind the calls is lost: ${quote(longer)}`)
        ensure(keep.toolCalls.length === 0 || !drop.text.includes(BEHIND), `It is not dropped: ${quote(longer)}`)
      }
    },
  },
  {
    id: 'unread-block',
    name: 'unreadBlock: a block that cannot be read stands in the text where that is asked',
    check(subject) {
      const { dialect } = subject
      for (const text of oddTexts(subject, createRandom(subject.seed + 11))) {
        const kept = dialect.parse(text, { unreadBlock: 'text', textAfterCalls: 'keep' })
        const lost = kept.unreadCalls?.find((unread) => !`${kept.text}\n${kept.reasoning}`.includes(unread.trim()))
        ensure(lost === undefined, `With unreadBlock: 'text', ${quote(lost)} is lost of ${quote(text)}`)
      }
    },
  },
  {
    id: 'call-in-reasoning',
    name: 'callInReasoning: a call in reasoning is one, or none, as is asked',
    check(subject) {
      for (const { text, tools } of fewTurns(subject)) {
        const longer = `Hm.\n${text}`
        const namesIn = (options: ParserOptions) => toNames(subject.dialect.parse(longer, { tools, ...options }))
        const inReasoning = { startsInReasoning: true }
        ensureSame(namesIn({ ...inReasoning, callInReasoning: 'ignore' }), [], `callInReasoning: 'ignore', ${quote(longer)}`)
        ensureSame(namesIn({ ...inReasoning, callInReasoning: 'call' }), namesIn({}), `callInReasoning: 'call', ${quote(longer)}`)
      }
    },
  },
  {
    id: 'call-in-fence',
    name: 'callInFence: a call in a code fence is one, or none, as is asked',
    check(subject) {
      for (const { text, tools } of fewTurns(subject)) {
        const parse = (fence: string, options: ParserOptions) =>
          toNames(subject.dialect.parse(`So:\n${fence}\n${text}\n${fence}\nDone.`, { tools, ...options }))
        ensureSame(parse(FENCE, { callInFence: 'text' }), [], `callInFence: 'text', in a fence ${quote(text)}`)
        ensureSame(parse(FENCE, { callInFence: 'call' }), parse('', {}), `callInFence: 'call', in a fence ${quote(text)}`)
      }
    },
  },
]

const BEHIND = 'Words behind.'
/** Longer than one that a dialect writes itself. */
const FENCE = '`````'

interface Turn extends WrittenTurn {
  readonly tools: readonly ToolSpec[]
}

function fewTurns(subject: DialectSubject): readonly Turn[] {
  const turns = turnsOf({ ...subject, runs: Math.ceil(subject.runs / 20) }, 1)
  return turns.map((turn) => ({ ...turn, tools: turn.calls.map(({ tool }) => tool) }))
}

/** All calls that the beginnings of the text give; each is the whole one, or says that it is truncated. */
function readPrefixes(
  { dialect }: DialectSubject,
  { text, tools }: Turn,
  unfinished: DialectPolicy['unfinished'],
): readonly RawToolCall[] {
  const whole = dialect.parse(text, { tools }).toolCalls.map(toReadCall)
  return Array.from({ length: text.length }, (_, length) => text.slice(0, length)).flatMap((cut) => {
    const { toolCalls } = dialect.parse(cut, { tools, unfinished })
    const found = toolCalls.filter(({ truncated }) => !truncated)
    if (found.length > 0) ensureSame(found.map(toReadCall), whole, `With unfinished: '${unfinished}', ${quote(cut)}`)
    return toolCalls
  })
}

function toNames({ toolCalls }: DialectReading): readonly string[] {
  return toolCalls.map(({ name }) => name)
}

function quote(text: string | undefined): string {
  return JSON.stringify(text)
}
