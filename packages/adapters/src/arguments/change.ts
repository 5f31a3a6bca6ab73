/** What one delta did to a value, at one place. */
import type { Frame } from './frame.ts'
import { pointerOf } from './frame.ts'

/** A class, because a stream makes one or more for each delta: the pointer is written only for who reads it. */
export class Change {
  /** What was added to the text at this place; undefined for what is no text. */
  readonly text: string | undefined
  /** True when the value at this place will not change any more. */
  readonly isComplete: boolean
  readonly frame: Frame
  readonly key: string | number

  constructor(frame: Frame, key: string | number, isComplete: boolean, text?: string) {
    this.frame = frame
    this.key = key
    this.isComplete = isComplete
    this.text = text
  }

  get pointer(): string {
    return pointerOf(this.frame, this.key)
  }

  /** As it is now: a list or an object goes on growing. */
  get value(): unknown {
    return this.frame.node[this.key]
  }
}
