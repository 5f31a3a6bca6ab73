/** What stands behind the one call of a turn: the model makes up there what only the agent can tell. */
import type { BlockContext } from '../engine/block.ts'
import { MarkerSet } from '../engine/marker.ts'
import type { Reading } from '../engine/text-input.ts'

const NO_MARKER = new MarkerSet({})

/** To the end of the text: dropped, or kept as the text that it is. No header in it counts any more. */
export function* readRest({ input, policy, giveText }: BlockContext): Reading {
  yield* input.before(NO_MARKER, policy.textAfterCalls === 'keep' ? giveText : () => {})
}
