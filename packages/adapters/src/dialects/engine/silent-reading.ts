/** Reads blocks without reporting their calls: quoted blocks, and blocks in reasoning that may not contain calls. */
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
  /** True if the text wasn't a block, or if prose follows its calls. */
  readonly isProse: boolean
  /** True if the block contained a complete call. */
  readonly hasCall: boolean
}

/** Reads a block silently, from after its open marker, and discards its reports. */
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
    // Text after calls must be checked here, even if the policy drops such text.
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
  // If there were calls, the mark is after them, and the rest couldn't be read.
  if (outcome === 'text') isProse ||= input.sinceMark().trim() !== '' || calls.ended === 0
  input.unmark()
  return { isProse, hasCall: deltas.some(isWholeCall) }
}

function isWholeCall(delta: LMDelta): boolean {
  return delta.type === 'call_end' && delta.truncated !== true && delta.tags?.includes('missing_end') !== true
}

export interface Quoted {
  /** The block's open marker and the rest of the block. */
  readonly text: string
  readonly hasCall: boolean
}

/**
 * Consumes a quoted block, starting after its open marker. Stops before the next `again` marker, because the text may quote the
 * open marker first and then use it for a call on a later line.
 */
export function* readQuoted(context: SilentContext, opener: string, read: BlockReader, again: MarkerSet): Reading<Quoted> {
  const { input } = context
  const inner = new TextInput()
  inner.append(opener)
  inner.mark(0)
  inner.at = opener.length
  const reading = readSilently({ ...context, input: inner }, opener, read)
  let step = reading.next()
  let all = opener
  const feed = (text: string): boolean => {
    all += text
    if (inner.append(text)) step = reading.next()
    return step.done === true
  }
  if (step.done !== true) yield* input.pass(again, feed)
  inner.isEnded = true
  if (step.done !== true) step = reading.next()
  const rest = inner.text.slice(inner.at)
  input.giveBack(rest)
  return { text: all.slice(0, all.length - rest.length), hasCall: step.done === true && step.value.hasCall }
}

/**
 * Moves the input to the blocks at the end of the text, with only white space between and after them. If the text ends with
 * prose, moves to the end. Needs the complete text.
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
