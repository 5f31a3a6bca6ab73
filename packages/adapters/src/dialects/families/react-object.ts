/** Reads an action that is one JSON object: `{"thought", "action", "action_input", "final_answer"}`. */
import { recoverJson } from '../../arguments/recover.ts'
import type { BlockContext, BlockOutcome } from '../engine/block.ts'
import { JsonScanner } from '../engine/json-scanner.ts'
import { loose, MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'
import { NO_MARKER } from './react-headers.ts'
import { BareInput } from './react-input.ts'

/** The open marker holds the object's beginning. Nothing behind a call is read any more. */
export function* readActionObject(context: BlockContext): Reading<BlockOutcome> {
  const { input, opener, tools, policy, giveText, giveReasoning } = context
  const raw = yield* readObjectText(context, opener.slice(opener.indexOf('{')))
  if (raw === undefined) return 'cut'
  const read = recoverJson(raw)
  if (!read.ok) return 'unread'
  const {
    thought,
    action,
    action_input: actionInput,
    tool_input: toolInput,
    final_answer: final,
  } = read.value as Readonly<Record<string, unknown>>
  const given = actionInput ?? toolInput
  const answer = isFinal(action) ? (final ?? given) : final
  const isAnswer = answer !== undefined && answer !== null
  if (!isAnswer && (typeof action !== 'string' || action === '')) return 'text'
  if (!isAnswer && policy.unknownTool === 'text' && !tools.has(action as string)) return 'text'
  if (typeof thought === 'string') giveReasoning(thought)
  if (isAnswer) giveText(typeof answer === 'string' ? answer : JSON.stringify(answer))
  else writeCall(context, action as string, given)
  if (isAnswer) yield* input.match(END_OF_FENCE)
  else yield* input.before(NO_MARKER, () => {})
  return 'read'
}

const END_OF_FENCE = new MarkerSet<string>({ fence: loose(' ```') })

/** The whole object, whose beginning was taken already; undefined if its end does not come. */
function* readObjectText({ input }: BlockContext, begun: string): Reading<string | undefined> {
  const scanner = new JsonScanner()
  let raw = begun
  scanner.push(begun, 0)
  const isWhole = yield* input.scan(scanner, (text) => {
    raw += text
  })
  return isWhole ? raw : undefined
}

function isFinal(action: unknown): boolean {
  return typeof action === 'string' && /^final[ _]?answer$/i.test(action.trim())
}

/** An object, also one that is written as text, is the arguments; anything else is the one argument. */
function writeCall(context: BlockContext, name: string, given: unknown): void {
  const { calls } = context
  const json = typeof given === 'string' && given.trimStart().startsWith('{') ? toObject(given) : given
  if (typeof json === 'object' && !Array.isArray(json)) {
    calls.start({ name })
    calls.write(JSON.stringify(json ?? {}))
  } else {
    const bare = new BareInput(context, name)
    bare.give(typeof json === 'string' ? json : JSON.stringify(json ?? null))
    bare.end()
  }
  calls.end()
}

function toObject(text: string): unknown {
  const read = recoverJson(text)
  return read.ok && typeof read.value === 'object' && read.value !== null ? read.value : text
}
