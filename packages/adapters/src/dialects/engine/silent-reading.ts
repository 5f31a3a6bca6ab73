/** Reads blocks without reporting anything, for quoted calls and for calls that are only considered in reasoning. */
import type { LMDelta } from '../../protocol/protocol.ts'
import type { DialectPolicy } from '../define/dialect.ts'
import type { BlockReader } from './block.ts'
import { CallWriter } from './call-writer.ts'
import type { MarkerKey } from './machine-parts.ts'
import type { MarkerSet } from './marker.ts'
import { type Reading, TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

export interface SilentContext {
  readonly input: TextInput
  readonly tools: ToolTable
  readonly policy: DialectPolicy
}

interface SilentOutcome {
  /** True if it wasn't a block, or has prose after its calls. */
  readonly isProse: boolean
  /** True if it contained a complete call. */
  readonly hasCall: boolean
}

/** Consumes what the reader consumes, from after its open marker. */
function* readSilently({ input, tools, policy }: SilentContext, opener: string, read: BlockReader): Reading<SilentOutcome> {
  let isProse = false
  const deltas: LMDelta[] = []
  const calls = new CallWriter(
    (delta) => deltas.push(delta),
    tools,
    () => '',
  )
  const outcome = yield* read({
    input,
    tools,
    // If the policy drops text after calls, that text wouldn't be seen.
    policy: { ...policy, textAfterCalls: 'keep' },
    opener,
    calls,
    hasText: true,
    hasReasoning: true,
    isQuoted: () => false,
    giveText: (text) => {
      isProse ||= calls.ended > 0 && text.trim() !== ''
    },
    giveReasoning: () => {},
  })
  // After calls, this is the text that the reader could not consume, if any.
  if (outcome === 'text') isProse ||= input.sinceMark().trim() !== '' || calls.ended === 0
  input.unmark()
  return { isProse, hasCall: deltas.some(isWholeCall) }
}

function isWholeCall(delta: LMDelta): boolean {
  return delta.type === 'call_end' && delta.truncated !== true && delta.tags?.includes('missing_end') !== true
}

export interface Quoted {
  /** The open marker and the text that belongs to it. */
  readonly text: string
  readonly hasCall: boolean
}

/**
 * Consumes a quoted block, from after its open marker. It ends before `again` at the latest, because text may quote a marker alone and
 * make a call on a later line.
 */
export function* readQuoted(context: SilentContext, opener: string, read: BlockReader, again: MarkerSet): Reading<Quoted> {
  const { input } = context
  const inner = new TextInput()
  inner.append(opener)
  inner.mark(0)
  inner.hold(0)
  inner.at = opener.length
  const reading = readSilently({ ...context, input: inner }, opener, read)
  let step = reading.next()
  const feed = (text: string): boolean => {
    if (inner.append(text)) step = reading.next()
    return step.done === true
  }
  if (step.done !== true) yield* input.pass(again, feed)
  inner.isEnded = true
  if (step.done !== true) step = reading.next()
  input.giveBack(inner.text.slice(inner.at))
  return { text: inner.sinceHold(), hasCall: step.done === true && step.value.hasCall }
}

/**
 * The position from which a complete text contains only blocks and white space, or its length if it ends with prose. Moves the input to
 * that position.
 */
export function* toLastBlocks(
  context: SilentContext,
  markers: MarkerSet<MarkerKey>,
  readerOf: (key: MarkerKey) => BlockReader | undefined,
): Reading {
  const { input } = context
  let start: number | undefined
  for (;;) {
    let isProse = false
    const found = yield* input.until(markers, (text) => {
      isProse ||= text.trim() !== ''
    })
    if (isProse) start = undefined
    if (found === undefined || found.key === 'end') break
    const read = readerOf(found.key)
    if (read === undefined) continue
    const at = input.at - found.text.length
    input.mark(at)
    start ??= at
    if ((yield* readSilently(context, found.text, read)).isProse) start = undefined
  }
  input.at = start ?? input.text.length
}
