/** Checks text that ends inside a call: see `unfinished` of `DialectPolicy`. */
import type { DialectPolicy } from '../../dialects/define/dialect.ts'
import type { RawToolCall } from '../../protocol/protocol.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import type { DialectCheckDefinition, DialectSubject } from '../dialect-check.ts'
import { toReadCall } from './reading.ts'
import { BEHIND, callSamples, fewTurns, quote, type TurnWithTools } from './written-turns.ts'

export const UNFINISHED_CHECKS: readonly DialectCheckDefinition[] = [
  {
    id: 'prefix',
    name: 'a truncated call never becomes a call with different arguments, even if truncated calls are requested',
    check(subject) {
      const asked = new Set([subject.dialect.policy.unfinished, 'cut'] as const)
      const turns = [...fewTurns(subject), ...subject.samples]
      for (const turn of turns) for (const unfinished of asked) readPrefixes(subject, turn, unfinished)
    },
  },
  {
    id: 'unfinished',
    name: 'unfinished: `never` returns no unfinished call, and `whole` tags each unfinished call',
    check(subject) {
      const samples = callSamples(subject).filter(({ calls }) => calls.length === 1)
      for (const turn of [...fewTurns(subject), ...samples]) {
        for (const { cut, calls } of readPrefixes(subject, turn, 'never')) {
          if (calls.length > 0) ensureEnded(subject, cut, calls, turn)
        }
      }
    },
  },
]

/**
 * Throws unless the calls are complete. With `unfinished: 'whole'`, they must not have the tag `missing_end`, and text after them
 * must not withdraw them.
 */
function ensureEnded({ dialect }: DialectSubject, cut: string, calls: readonly RawToolCall[], { tools }: TurnWithTools): void {
  const { toolCalls } = dialect.parse(cut, { tools, unfinished: 'whole' })
  const lacksEnd = [...calls, ...toolCalls].some(({ truncated, tags = [] }) => truncated || tags.includes('missing_end'))
  ensure(!lacksEnd, `A call is returned for truncated text: ${quote(cut)}`)
  ensureSame(toolCalls.map(toReadCall), calls.map(toReadCall), `With unfinished: 'whole', ${quote(cut)}`)
  const longer = `${cut}\n${BEHIND}`
  const behind = dialect.parse(longer, { tools, unfinished: 'never' }).toolCalls
  ensureSame(behind.map(toReadCall), calls.map(toReadCall), `A call is returned before its end: ${quote(longer)}`)
}

interface ReadPrefix {
  readonly cut: string
  readonly calls: readonly RawToolCall[]
}

/** Parses every prefix of the text. Throws unless each call equals the complete one or is marked as truncated. */
function readPrefixes(
  { dialect }: DialectSubject,
  { text, tools }: TurnWithTools,
  unfinished: DialectPolicy['unfinished'],
): readonly ReadPrefix[] {
  const whole = dialect.parse(text, { tools }).toolCalls.map(toReadCall)
  return Array.from({ length: text.length }, (_, length) => {
    const cut = text.slice(0, length)
    const calls = dialect.parse(cut, { tools, unfinished }).toolCalls
    const found = calls.filter(({ truncated }) => !truncated)
    // If there are several calls, some of them may already be complete.
    const expected = whole.slice(0, Math.max(1, found.length))
    if (found.length > 0) ensureSame(found.map(toReadCall), expected, `With unfinished: '${unfinished}', ${quote(cut)}`)
    return { cut, calls }
  })
}
