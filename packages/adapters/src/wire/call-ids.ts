/** Assigns the call ids of one reply: the provider's id if it is unique, otherwise a generated one. */
import type { LMRequest } from '../protocol/protocol.ts'

/**
 * Provides ids that are unique in the conversation. A generated id, such as `call_4_0`, contains the number of messages in the request. A
 * repeated id is replaced with a generated one.
 */
export class CallIds {
  readonly #prefix: string
  readonly #taken = new Set<string>()
  #count = 0
  /** The next number to try for a generated id. Lower numbers are in use or were skipped. */
  #free = 0

  constructor(request?: LMRequest) {
    this.#prefix = request === undefined ? 'call' : `call_${request.messages.length}`
    for (const message of request?.messages ?? [])
      if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) this.#taken.add(id)
  }

  /** Returns the id to use. If it differs from the raw id, the caller stores the raw id in the metadata of the call. */
  take(raw: string | undefined): string {
    let id = raw
    const place = this.#count++
    if (id === undefined || id === '' || this.#taken.has(id)) {
      this.#free = Math.max(this.#free, place)
      do id = `${this.#prefix}_${this.#free++}`
      while (this.#taken.has(id))
    }
    this.#taken.add(id)
    return id
  }
}
