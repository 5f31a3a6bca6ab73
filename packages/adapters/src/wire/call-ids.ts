/** The ids of the calls of one reply: the provider's own where it can be told from the others, else a minted one. */
import type { LMRequest } from '../protocol/protocol.ts'

/** No id of a call before is taken again: a minted one counts the messages before it, and what a provider repeats is minted. */
export class CallIds {
  readonly #prefix: string
  readonly #taken = new Set<string>()
  #count = 0
  /** All before it are taken, or were passed over. */
  #free = 0

  constructor(request?: LMRequest) {
    this.#prefix = request === undefined ? 'call' : `call_${request.messages.length}`
    for (const message of request?.messages ?? [])
      if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) this.#taken.add(id)
  }

  /** The id to use; where it is minted, the wire format keeps the raw one in the call's metadata. */
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
