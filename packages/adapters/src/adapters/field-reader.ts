/** The contract of what tells, while a reply streams, which output each piece of it belongs to. Types only. */

/**
 * What was added to one output, as written: the outputs are read and checked when the reply is whole. The adapters of this package
 * leave out the blanks around an output, so that a text is its pieces.
 */
export interface FieldText {
  readonly field: string
  readonly text: string
}

/** Of one reply. Neither method throws. */
export interface FieldReader {
  /** Takes the next piece; gives what is known to belong to an output by now. */
  push(text: string): readonly FieldText[]
  /** The reply is over; gives what was held back. */
  end(): readonly FieldText[]
}
