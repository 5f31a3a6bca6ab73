/** A running request that is shared by all callers with the same request. */
import type { LMDelta, LMResponse } from '@x/adapters'
import { toDeltas } from '@x/adapters'
import { throwIfAborted, untilAborted } from '../until-aborted.ts'

/** Sends a request. Resolves to its response. If it calls `onDelta`, the deltas add up to the whole response. */
export type Send = (signal: AbortSignal, onDelta: (delta: LMDelta) => void) => Promise<LMResponse>

/** A shared request. It is aborted when its last caller leaves before it ends. */
export class SharedRequest {
  readonly #deltas: LMDelta[] = []
  readonly #controller = new AbortController()
  readonly #whole: Promise<LMResponse>
  readonly #onOver: () => void
  #isOver = false
  #joined = 0
  #wake = () => {}
  #news: Promise<void>

  constructor(send: Send, onOver: () => void) {
    this.#onOver = onOver
    this.#news = this.#nextNews()
    this.#whole = send(this.#controller.signal, (delta) => {
      this.#deltas.push(delta)
      this.#notify()
    })
    const end = () => {
      this.#isOver = true
      onOver()
      this.#notify()
    }
    this.#whole.then(end, end)
  }

  async response(signal?: AbortSignal): Promise<LMResponse> {
    this.#joined++
    try {
      return await untilAborted(this.#whole, signal)
    } finally {
      this.#leave()
    }
  }

  /**
   * Yields all deltas from the start, even to a caller that joins late. Yields no more after an abort, even if some are
   * available.
   */
  async *deltas(signal?: AbortSignal): AsyncGenerator<LMDelta> {
    this.#joined++
    try {
      let read = 0
      for (; !this.#isOver || read < this.#deltas.length; ) {
        const delta = this.#deltas[read]
        if (delta === undefined) await untilAborted(this.#news, signal)
        else {
          read++
          throwIfAborted(signal)
          yield delta
        }
      }
      const response = await untilAborted(this.#whole, signal)
      if (read > 0) return
      for (const delta of toDeltas(response)) {
        throwIfAborted(signal)
        yield delta
      }
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    this.#joined--
    if (this.#joined > 0 || this.#isOver) return
    // A caller that comes later must send a new request instead of getting this abort error.
    this.#onOver()
    this.#controller.abort()
  }

  #notify(): void {
    const wake = this.#wake
    this.#news = this.#nextNews()
    wake()
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
