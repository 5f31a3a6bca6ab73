/** Reads blocks of which nothing is to be reported: calls that a text quotes, or that reasoning only considers. */
import type { DialectPolicy } from '../dialect.ts'
import type { BlockReader } from './block.ts'
import { CallWriter } from './call-writer.ts'
import type { MarkerKey } from './machine-parts.ts'
import type { MarkerSet } from './marker.ts'
import type { Reading, TextInput } from './text-input.ts'
import type { ToolTable } from './tool-table.ts'

export interface SilentContext {
  readonly input: TextInput
  readonly tools: ToolTable
  readonly policy: DialectPolicy
}

/** Takes what the reader takes, from behind its open marker on. True if it was prose, or calls with prose behind them. */
export function* readSilently({ input, tools, policy }: SilentContext, opener: string, read: BlockReader): Reading<boolean> {
  let isProse = false
  const calls = new CallWriter(() => [], tools)
  const outcome = yield* read({
    input,
    tools,
    // Where text behind calls is dropped, it would not be seen.
    policy: { ...policy, textAfterCalls: 'keep' },
    opener,
    calls,
    hasText: true,
    hasReasoning: true,
    giveText: (text) => {
      isProse ||= calls.ended > 0 && text.trim() !== ''
    },
    giveReasoning: () => {},
  })
  // Behind calls it is what the reader could not take, if anything.
  if (outcome === 'text') isProse ||= input.sinceMark().trim() !== '' || calls.ended === 0
  input.unmark()
  return isProse
}

/**
 * Where the last blocks begin behind which nothing but white space stands, in a text that is over; its length if prose ends it. The
 * input is there then.
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
    if (yield* readSilently(context, found.text, read)) start = undefined
  }
  input.at = start ?? input.text.length
}
