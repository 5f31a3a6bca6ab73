/** The text that a thread is parsing, in memory that it shares with another thread. */

/** Maximum length in UTF-16 units. Longer text is truncated. */
const MOST = 200_000

export class LastText {
  readonly buffer: SharedArrayBuffer
  readonly #counts: Uint32Array
  readonly #units: Uint16Array

  /** Default: a new buffer, which must be passed to the other thread. */
  constructor(buffer = new SharedArrayBuffer(2 * Uint32Array.BYTES_PER_ELEMENT + MOST * Uint16Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer
    this.#counts = new Uint32Array(buffer, 0, 2)
    this.#units = new Uint16Array(buffer, 2 * Uint32Array.BYTES_PER_ELEMENT)
  }

  /** Number of times that a text was written. */
  get writes(): number {
    return Atomics.load(this.#counts, 0)
  }

  write(text: string): void {
    const length = Math.min(text.length, MOST)
    for (let index = 0; index < length; index++) this.#units[index] = text.charCodeAt(index)
    Atomics.store(this.#counts, 1, length)
    Atomics.add(this.#counts, 0, 1)
  }

  read(): string {
    const units = this.#units.subarray(0, Atomics.load(this.#counts, 1))
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('')
  }
}
