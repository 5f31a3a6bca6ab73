/** The value of a parameter, if more may follow its close tag than may end it without one. */
import { type LooseMarker, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { OpenValue, readTaggedValue, type ValueEnd, ValueEnds } from './tagged-value.ts'

type Markers = readonly (string | LooseMarker)[]

export interface ClosedValueTags {
  readonly close: Markers
  /** What opens another parameter. */
  readonly more: Markers
  /** What ends the call. */
  readonly closeCall: Markers
  /** The next call. In a value it is text, if the value is closed. */
  readonly nextCall: Markers
  /** Other text that may follow a close tag. Inside a value it is text. */
  readonly behind: Markers
  /** Tags that no value contains: one in it shows that the tags around it are broken. */
  readonly never: Markers
}

/** Where such a value ends. Made once for a dialect. */
export class ClosedValue {
  readonly #ends: MarkerSet<'close' | 'next' | 'call' | 'never'>
  readonly #closed: ValueEnds
  readonly #all: MarkerSet<'any'>

  constructor({ close, more, closeCall, nextCall, behind, never }: ClosedValueTags) {
    const ends = [...more, ...closeCall]
    this.#ends = new MarkerSet({ close, next: ends, call: nextCall, never })
    this.#closed = new ValueEnds(close, [...ends, ...nextCall, ...behind], more, never)
    this.#all = new MarkerSet({ any: [...close, ...ends, ...nextCall, ...behind, ...never] })
  }

  /**
   * Like `readTaggedValue`; what of a tag was there when the text ended is not given away. `broken`: before the next call, whose
   * argument comes without a close tag of this value.
   */
  *read(input: TextInput, give: (text: string) => void): Reading<ValueEnd> {
    const value = new OpenValue(give, this.#closed)
    return value.end(yield* this.#readUpToEnd(input, value.give))
  }

  *#readUpToEnd(input: TextInput, give: (text: string) => void): Reading<ValueEnd> {
    let kept = ''
    const hold = (piece: string) => {
      if (kept !== '') give(kept)
      const end = (input.isEnded ? this.#ends.find(piece, 0, false)?.start : undefined) ?? piece.length
      kept = piece.slice(end)
      if (end > 0) give(piece.slice(0, end))
    }
    let call: number | undefined
    let first = yield* input.before(this.#ends, hold)
    for (; first === 'call'; first = yield* input.before(this.#ends, hold)) {
      call ??= input.marked
      hold(yield* input.take(this.#ends))
    }
    if (first === 'next' && call !== undefined) {
      input.giveBack(input.peekMarked(call))
      return 'broken'
    }
    if (first === 'never') return 'broken'
    const end = first === 'close' ? yield* readTaggedValue(input, this.#closed, hold) : (first ?? 'cut')
    if (kept !== '' && end !== 'cut') give(kept)
    return end
  }

  /** True for a text that might end at a tag in it, if it stood as a value. */
  endsIn(text: string): boolean {
    return this.#all.find(text, 0, true) !== undefined
  }
}
