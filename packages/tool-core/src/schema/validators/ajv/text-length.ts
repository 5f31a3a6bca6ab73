/** Checks length limits, which apply to code points. Counts the code points only if the length in UTF-16 units can't decide. */
import type { Take } from '../equal.ts'

export class TextLengths {
  readonly #take: Take
  #text = ''
  #length = 0

  constructor(take: Take) {
    this.#take = take
  }

  isLonger(text: string, limit: number): boolean {
    return text.length > limit && (text.length > 2 * limit + 1 || this.#lengthOf(text) > limit)
  }

  isShorter(text: string, limit: number): boolean {
    return text.length < limit || (text.length < 2 * limit && this.#lengthOf(text) < limit)
  }

  /** Returns the length of a string. Caches the length of the last string, because several keywords may need it. */
  #lengthOf(text: string): number {
    if (text !== this.#text) {
      this.#take(text.length / CHARACTERS_OF_A_STEP)
      this.#length = codePointsIn(text)
    }
    this.#text = text
    return this.#length
  }
}

const CHARACTERS_OF_A_STEP = 4

function codePointsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) at += isPairAt(text, at) ? 2 : 1
  return count
}

function isPairAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
