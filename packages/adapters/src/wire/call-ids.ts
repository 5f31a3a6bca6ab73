/** Assigns the call ids of one reply: the provider's id if it is unique, otherwise a generated one. */
import type { LMRequest, Message, RawToolCall } from '../protocol/protocol.ts'

/**
 * Provides ids that are unique in the conversation. A generated id, such as `call_4_0`, contains the number of messages in the request. A
 * repeated id is replaced with a generated one.
 */
export class CallIds {
  readonly #prefix: string
  /** The messages whose ids aren't in `#taken` yet. */
  #messages: readonly Message[]
  /** The ids of this reply. Also contains those of the request, once they have been collected. */
  readonly #taken = new Set<string>()
  #count = 0
  /** The next number to try for a generated id. Lower numbers are in use or were skipped. */
  #free = 0

  constructor(request?: LMRequest) {
    this.#messages = request?.messages ?? []
    this.#prefix = request === undefined ? 'call' : `call_${this.#messages.length}`
  }

  /** Returns the id to use. If it differs from the raw id, the caller stores the raw id in the metadata of the call. */
  take(raw: string | undefined): string {
    let id = raw
    const place = this.#count++
    if (id === undefined || id === '' || this.#isTaken(id, place)) {
      const taken = this.#collected()
      this.#free = Math.max(this.#free, place)
      do id = `${this.#prefix}_${this.#free++}`
      while (taken.has(id))
    }
    this.#taken.add(id)
    return id
  }

  /** Searches the messages for the first id, because most replies have only one, and a set of all ids takes longer. */
  #isTaken(id: string, place: number): boolean {
    if (place > 0) return this.#collected().has(id)
    return this.#messages.some((message) => callsOf(message).some((call) => call.id === id))
  }

  #collected(): Set<string> {
    for (const message of this.#messages) for (const { id } of callsOf(message)) this.#taken.add(id)
    this.#messages = []
    return this.#taken
  }
}

function callsOf(message: Message): readonly RawToolCall[] {
  return (message.role === 'assistant' && message.toolCalls) || []
}
