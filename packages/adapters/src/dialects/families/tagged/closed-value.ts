/** Reads a parameter value whose close tag may be missing. */
import { type LooseMarker, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import { OpenValue, readTaggedValue, takeInnerCalls, type ValueEnd, ValueEnds } from './tagged-value.ts'

/**
 * Matches the text after a close tag in a value if the value seems to have run into the next parameter: another tag, the end of a tag, a
 * single number, or nothing.
 */
const OF_TAG = /^\s*(?:<|$|-?\d[\d.]*\s*$)|^[^<]*>/

type Markers = readonly (string | LooseMarker)[]

export interface ClosedValueTags {
  readonly close: Markers
  /** Tags that open another parameter. */
  readonly more: Markers
  /** Tags that end the call. */
  readonly closeCall: Markers
  /** Tags that start the next call. In a value that has a close tag, they are text. */
  readonly nextCall: Markers
  /** Other tags that may follow a close tag. In a value, they are text. */
  readonly behind: Markers
  /** Tags that never belong in a value. If one appears in a value, the tags around that value are broken. */
  readonly never: Markers
}

/** Finds the end of a parameter value whose close tag may be missing. Created once per dialect. */
export class ClosedValue {
  readonly #ends: MarkerSet<'close' | 'next' | 'call' | 'never'>
  readonly #closed: ValueEnds
  readonly #all: MarkerSet<'any'>
  readonly #close: MarkerSet<'close'>

  constructor({ close, more, closeCall, nextCall, behind, never }: ClosedValueTags) {
    const ends = [...more, ...closeCall]
    this.#ends = new MarkerSet({ close, next: ends, call: nextCall, never })
    this.#closed = new ValueEnds(close, [...ends, ...nextCall, ...behind], more, never, nextCall, closeCall)
    this.#close = new MarkerSet({ close })
    this.#all = new MarkerSet({ any: [...close, ...ends, ...nextCall, ...behind, ...never] })
  }

  /**
   * Like `readTaggedValue`, but holds back an incomplete tag at the end of the text. `broken` may also mean that the close tag is
   * missing and the next call follows. `reopened`: the value contains a close tag, and after it text that may be the rest of
   * another parameter's tags.
   */
  *read(input: TextInput, give: (text: string) => void): Reading<ValueEnd | 'reopened'> {
    const value = new OpenValue(give, this.#closed)
    let isReopened = false
    const onReopened = () => {
      isReopened = true
    }
    const end = value.end(yield* this.#readUpToEnd(input, value.give, onReopened))
    return isReopened && (end === 'close' || end === 'surplus') ? 'reopened' : end
  }

  *#readUpToEnd(input: TextInput, give: (text: string) => void, onReopened: () => void): Reading<ValueEnd> {
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
      const inner = yield* takeInnerCalls(input, this.#closed)
      if (inner === undefined) call ??= input.marked
      hold(inner ?? (yield* input.take(this.#ends)))
    }
    if (first === 'never' || (first === 'next' && call !== undefined)) {
      if (call !== undefined) input.giveBack(input.peekMarked(call))
      return 'broken'
    }
    const giveAgain = (text: string) => {
      const tag = this.#close.find(text, 0, true)
      if (tag !== undefined && OF_TAG.test(text.slice(tag.end))) onReopened()
      hold(text)
    }
    const end = first === 'close' ? yield* readTaggedValue(input, this.#closed, giveAgain) : (first ?? 'cut')
    if (kept !== '' && end !== 'cut') give(kept)
    return end
  }

  /** Returns true if the text can't be written as a value, because it contains a tag that would end the value. */
  endsIn(text: string): boolean {
    return this.#all.find(text, 0, true) !== undefined
  }
}
