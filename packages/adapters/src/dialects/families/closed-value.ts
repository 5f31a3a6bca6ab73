/** The value of a parameter where more may stand behind its close tag than may end it without one. */
import { type LooseMarker, MarkerSet } from '../engine/marker.ts'
import type { Reading, TextInput } from '../engine/text-input.ts'
import { readTaggedValue, type ValueEnd, ValueEnds } from './tagged-value.ts'

type Markers = readonly (string | LooseMarker)[]

export interface ClosedValueTags {
  readonly close: Markers
  /** What opens another parameter. */
  readonly more: Markers
  /** What ends the call. */
  readonly closeCall: Markers
  /** What may stand behind a close tag beside that, such as the next call. In a value it is text. */
  readonly behind: Markers
}

/** Where such a value ends. Made once for a dialect. */
export class ClosedValue {
  readonly #ends: MarkerSet<'close' | 'next'>
  readonly #closed: ValueEnds
  readonly #all: MarkerSet<'any'>

  constructor({ close, more, closeCall, behind }: ClosedValueTags) {
    this.#ends = new MarkerSet({ close, next: [...more, ...closeCall] })
    this.#closed = new ValueEnds(close, [...more, ...closeCall, ...behind], more)
    this.#all = new MarkerSet({ any: [...close, ...more, ...closeCall, ...behind] })
  }

  /** Like `readTaggedValue`; what of a tag was there when the text ended is not given away. */
  *read(input: TextInput, give: (text: string) => void): Reading<ValueEnd> {
    let kept = ''
    const hold = (piece: string) => {
      if (kept !== '') give(kept)
      const end = (input.isEnded ? this.#ends.find(piece, 0, false)?.start : undefined) ?? piece.length
      kept = piece.slice(end)
      if (end > 0) give(piece.slice(0, end))
    }
    const first = yield* input.before(this.#ends, hold)
    const end = first === 'close' ? yield* readTaggedValue(input, this.#closed, hold) : (first ?? 'cut')
    if (kept !== '' && end !== 'cut') give(kept)
    return end
  }

  /** True for a text that might end at a tag in it, if it stood as a value. */
  endsIn(text: string): boolean {
    return this.#all.find(text, 0, true) !== undefined
  }
}
