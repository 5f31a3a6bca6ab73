/** The ids of the calls of one reply: the provider's own where it can be told from the others, else a minted one. */
import type { LMRequest } from '../protocol.ts'

/** A minted id is unique in its conversation too: it counts the messages before it. */
export class CallIds {
  readonly #prefix: string
  readonly #taken = new Set<string>()

  constructor(request?: LMRequest) {
    this.#prefix = request === undefined ? 'call' : `call_${request.messages.length}`
  }

  /** The id to use; where it is minted, the wire format keeps the raw one in the call's metadata. */
  take(raw: string | undefined): string {
    let id = raw
    for (let number = this.#taken.size; id === undefined || id === '' || this.#taken.has(id); number++)
      id = `${this.#prefix}_${number}`
    this.#taken.add(id)
    return id
  }
}
