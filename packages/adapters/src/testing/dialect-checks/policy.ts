/** Checks that a dialect follows its policy. Covers the rules that apply to every dialect: see `DialectPolicy`. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect, DialectReading, ParserOptions } from '../../dialects/define/dialect.ts'
import type { LMDelta } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition } from '../dialect-check.ts'
import { createRandom, type Random } from '../random.ts'
import { cutAtRandom, readPieces, streamPieces, toReadCall } from './reading.ts'
import { damage, oddTexts } from './stream.ts'
import { BEHIND, callSamples, fewTurns, quote, type TurnWithTools } from './written-turns.ts'

export const POLICY_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'unknown-tool',
    name: 'a call to an undeclared tool is a call with the tag `unknown_tool`, or text',
    check(subject) {
      for (const { text, calls } of [...fewTurns(subject), ...subject.samples]) {
        const reading = subject.dialect.parse(text, { tools: [] })
        for (const call of reading.toolCalls)
          ensure(call.tags?.includes('unknown_tool') === true, `A call to an unknown tool has no tag: ${quote(text)}`)
        const isTagged = subject.dialect.parse(text).toolCalls.some(({ tags }) => tags?.includes('unknown_tool'))
        ensure(!isTagged, `Without \`tools\`, a call has the tag: ${quote(text)}`)
        const asText = subject.dialect.parse(text, { tools: [], unknownTool: 'text' })
        ensureSame(toNames(asText), [], `With unknownTool: 'text', ${calls[0]?.call.name}`)
        for (const { call } of calls) {
          const isKept = [...toNames(reading), reading.text].some((shown) => shown.includes(call.name))
          ensure(isKept, `The call to the unknown tool ${call.name} was dropped: ${quote(text)}`)
          ensure(asText.text.includes(call.name), `With unknownTool: 'text', the call was dropped: ${quote(text)}`)
        }
      }
    },
  },
  {
    id: 'text-after-calls',
    name: 'textAfterCalls: text after calls is kept or dropped, and the calls are the same',
    check(subject) {
      for (const { text, tools } of fewTurns(subject)) {
        const longer = `${beforeEnd(subject.dialect, text, tools)}\n${BEHIND}`
        const keep = subject.dialect.parse(longer, { tools, textAfterCalls: 'keep' })
        const drop = subject.dialect.parse(longer, { tools, textAfterCalls: 'drop' })
        ensureSame(drop.toolCalls, keep.toolCalls, `The calls of ${quote(longer)}`)
        ensure(keep.text.endsWith(BEHIND), `The text after the calls was dropped: ${quote(longer)}`)
        ensure(
          keep.toolCalls.length === 0 || !drop.text.includes(BEHIND),
          `The text after the calls is not dropped: ${quote(longer)}`,
        )
      }
    },
  },
  {
    id: 'malformed-block',
    name: 'malformedBlock: a malformed block is reported with its text, which the policy keeps or drops',
    check(subject) {
      const { dialect } = subject
      for (const text of oddTexts(subject, createRandom(subject.seed + 11))) {
        const empty = [...streamPieces(dialect, [text])].find(isEmptyMalformed)
        ensure(empty === undefined, `A malformed call has no text: ${quote(text)}`)
        const kept = dialect.parse(text, { malformedBlock: 'text', textAfterCalls: 'keep' })
        const shown = `${kept.text}\n${kept.reasoning}`
        const lost = kept.malformedCalls?.find((malformed) => malformed.trim() === '' || !shown.includes(malformed.trim()))
        ensure(lost === undefined, `With malformedBlock: 'text', ${quote(lost)} of ${quote(text)} is lost`)
      }
      const random = createRandom(subject.seed + 13)
      for (const turn of [...fewTurns(subject), ...callSamples(subject)]) ensureReported(dialect, turn, random)
    },
  },
  {
    id: 'call-in-reasoning',
    name: 'callInReasoning: a call in reasoning is accepted or ignored, depending on the policy',
    check(subject) {
      for (const { text, tools } of [...fewTurns(subject), ...callSamples(subject)]) {
        const longer = `Hm.\n${text}`
        const namesIn = (options: ParserOptions) => toNames(subject.dialect.parse(longer, { tools, ...options }))
        const inReasoning = { startsInReasoning: true }
        ensureSame(namesIn({ ...inReasoning, callInReasoning: 'ignore' }), [], `callInReasoning: 'ignore', ${quote(longer)}`)
        ensureSame(namesIn({ ...inReasoning, callInReasoning: 'call' }), namesIn({}), `callInReasoning: 'call', ${quote(longer)}`)
      }
      for (const { text, tools } of fewTurns(subject)) {
        const longer = `Hm.\n${beforeEnd(subject.dialect, text, tools)}\n${BEHIND}`
        const options = { tools, startsInReasoning: true, callInReasoning: 'unless-closed' } as const
        ensureSame(toNames(subject.dialect.parse(longer, options)), [], `With prose after a call, ${quote(longer)}`)
      }
      for (const { text, tools } of [...fewTurns(subject), ...callSamples(subject)]) ensureClosed(subject.dialect, text, tools)
    },
  },
  {
    id: 'call-in-fence',
    name: 'callInFence: a call in a code fence is accepted or ignored, depending on the policy',
    check(subject) {
      for (const { text, tools } of [...fewTurns(subject), ...callSamples(subject)]) {
        const parse = (fence: string, options: ParserOptions) =>
          toNames(subject.dialect.parse(`So:\n${fence}\n${text}\n${fence}\nDone.`, { tools, ...options }))
        for (const fence of FENCES) {
          ensureSame(parse(fence, { callInFence: 'text' }), [], `callInFence: 'text', in a fence ${quote(text)}`)
          ensureSame(parse(fence, { callInFence: 'call' }), parse('', {}), `callInFence: 'call', in a fence ${quote(text)}`)
        }
      }
    },
  },
  {
    id: 'quoted-call',
    name: "quotedCall: 'text': a call in a code span, between quotation marks or on a quoted line is text, however it is split",
    check(subject) {
      const random = createRandom(subject.seed + 17)
      const turns = [...fewTurns(subject), ...callSamples(subject)]
      for (const { text, tools } of turns.flatMap((turn) => quotations(turn.text).map((quoted) => ({ ...turn, text: quoted })))) {
        const options = { tools, quotedCall: 'text', callInFence: 'text' } as const
        const pieces = [[text], text.split(''), cutAtRandom(random, text)]
        for (const reading of [
          subject.dialect.parse(text, options),
          ...pieces.map((cut) => readPieces(subject.dialect, cut, options)),
        ])
          ensureSame(toNames(reading), [], `quotedCall: 'text', ${quote(text)}`)
      }
    },
  },
]

/** Throws unless a call inside closed reasoning is ignored, wherever the reasoning starts. */
function ensureClosed(dialect: Dialect, text: string, tools: readonly ToolSpec[]): void {
  const { open: [open] = [], close: [close] = [] } = dialect.reasoning ?? {}
  if (open === undefined || close === undefined || dialect.policy.callInReasoning === 'call') return
  const thought = `${open}\nI could:\n${text}\nbut no.${close}`
  for (const longer of [`${thought}No.`, `Well.\n${thought}No.`, `${open}a${close}b\n${thought}No.`])
    ensureSame(toNames(dialect.parse(longer, { tools })), [], `Calls in closed reasoning, ${quote(longer)}`)
}

/**
 * Throws unless a call that is truncated or damaged after its name appears in the result: as a call, as text, as reasoning, or in
 * `malformedCalls`.
 */
function ensureReported(dialect: Dialect, { text, calls, tools }: TurnWithTools, random: Random): void {
  const name = calls[0]?.call.name ?? ''
  const at = text.indexOf(name) + name.length
  if (at < name.length) return
  const [head, tail] = [text.slice(0, at), text.slice(at)]
  const half = tail.length >> 1
  for (const broken of [tail.slice(0, half), tail.slice(half), damage(tail, random)]) {
    const longer = head + broken
    const reading = dialect.parse(longer, { tools, malformedBlock: 'drop', unfinished: 'never', textAfterCalls: 'keep' })
    const { malformedCalls = [], reasoning = '' } = reading
    const isShown = [...toNames(reading), ...malformedCalls, reading.text, reasoning].some((shown) => shown.includes(name))
    ensure(isShown, `Neither a call, nor text, nor in \`malformedCalls\`: ${quote(longer)}`)
  }
}

/** Returns texts that quote the call, alone or between words, in every way that `quotedCall` and `callInFence` cover. */
function quotations(text: string): readonly string[] {
  const quoted = toLines(text, '> ')
  const indented = toLines(text, '    ')
  return [
    `You would write \`${text}\` for that.`,
    ...QUOTATION_MARKS.map(([open, close]) => `The page says ${open}please ${text} now${close}.`),
    ...QUOTATION_MARKS.map(([open, close]) => `${open}${text}${close} is what the page says.`),
    `The page says \u201ca "b" ${text} c\u201d.`,
    `The page says:\n${quoted}\nI won't.`,
    `The page says:\n- ${quoted}\n\n1. a\n2. ${quoted}\nI won't.`,
    `For example:\n\n    one\n${indented}\n\nI won't.`,
    `For example:\n\n    one ${text}\n\nI won't.`,
    `${indented}\n\nI won't.`,
    `# Example\n${indented}\n\nI won't.`,
    ...FENCES.flatMap((fence) =>
      [`${fence} x`, `    ${fence}`].map((line) => `So:\n${fence}\none\n${line}\n${text}\n${fence}\nI won't.`),
    ),
  ]
}

function toLines(text: string, before: string): string {
  return text
    .split('\n')
    .map((line) => before + line)
    .join('\n')
}

const QUOTATION_MARKS = [
  ...['""', '\u201c\u201d', '\u201e\u201c', '\u201d\u201d', '\uff02\uff02', '\u00ab\u00bb', '\u00bb\u00ab', '\u2039\u203a'],
  ...["''", '\u2018\u2019', '\u201a\u2018', '\u300c\u300d', '\uff62\uff63'],
].map((pair) => pair.split(''))

/** Fences longer than any fence that a dialect writes. */
const FENCES = ['`````', '~~~~~']

/**
 * Returns the longest beginning of the turn that has the same calls and doesn't end the response. For a dialect that reads text
 * or another turn afterwards, this is the whole turn.
 */
function beforeEnd(dialect: Dialect, text: string, tools: readonly ToolSpec[]): string {
  const read = (longer: string) => dialect.parse(longer, { tools, textAfterCalls: 'keep' })
  const { toolCalls } = read(text)
  const whole = JSON.stringify(toolCalls.map(toReadCall))
  const isRead = (cut: string) => {
    const longer = read(`${cut}\n${BEHIND}`)
    return longer.text.endsWith(BEHIND) && JSON.stringify(longer.toolCalls.map(toReadCall)) === whole
  }
  if (read(`${text}\n${BEHIND}`).text.endsWith(BEHIND) || read(`${text}\n${text}`).toolCalls.length > toolCalls.length)
    return text
  const lengths = Array.from({ length: text.length }, (_, taken) => text.length - taken - 1)
  return text.slice(0, lengths.find((length) => isRead(text.slice(0, length))) ?? text.length)
}

function isEmptyMalformed(delta: LMDelta): boolean {
  return delta.type === 'malformed_call' && delta.text.trim() === ''
}

function toNames({ toolCalls }: Pick<DialectReading, 'toolCalls'>): readonly string[] {
  return toolCalls.map(({ name }) => name)
}
