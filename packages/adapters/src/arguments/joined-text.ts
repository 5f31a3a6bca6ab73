/** Joins a text that arrives in many small pieces into few large ones. */

const PIECES = 1_024

export class JoinedText {
  length = 0
  readonly #blocks: string[] = []
  #pieces: string[] = []

  add(piece: string): void {
    this.length += piece.length
    if (this.#pieces.push(piece) < PIECES) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  join(): string {
    return this.#blocks.join('') + this.#pieces.join('')
  }

  clear(): void {
    this.#blocks.length = 0
    this.#pieces = []
  }
}
