/** The call ids of one reply: the provider's own if unique, otherwise generated. */
import type { LMRequest } from '../protocol/protocol.ts'

/** Never returns an id twice in a conversation: a generated id counts the messages before it, and duplicates are replaced. */
export class CallIds {
  readonly #prefix: string
  readonly #taken = new Set<string>()
  #count = 0
  /** The first id that may be free. All earlier ones are taken or were skipped. */
  #free = 0

  constructor(request?: LMRequest) {
    this.#prefix = request === undefined ? 'call' : `call_${request.messages.length}`
    for (const message of request?.messages ?? [])
      if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) this.#taken.add(id)
  }

  /** Returns the id to use. If it is generated, the wire format keeps the raw one in the call's metadata. */
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
