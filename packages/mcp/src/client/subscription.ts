/** Follows changes to a server's list of tools. */
import type { McpSubscription } from '@modelcontextprotocol/client'
import type { Connection } from './connection.ts'
import type { Settings } from './options.ts'
import { limited, pause } from './wait.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Minimum duration of a stream, in milliseconds. A stream that ends sooner counts as a failure. */
const STABLE_MS = 60_000
/** Maximum time by which the first subscription may delay a listing, in milliseconds. */
const START_MS = 1_000

export class Subscription {
  /** Resolves when the subscription is open, when there can't be one, or after a second. */
  readonly started: Promise<void>
  readonly #connection: Connection
  readonly #onMissed: () => void
  readonly #controller = new AbortController()
  readonly #timeoutMs: number
  #isActive = false
  /** True if the tools may have been listed before the first stream opened. */
  #isLate = false

  /** `onMissed` is called when a stream opens after changes may have been missed. */
  constructor(connection: Connection, { connectTimeoutMs }: Settings, onMissed: () => void) {
    this.#connection = connection
    this.#onMissed = onMissed
    this.#timeoutMs = connectTimeoutMs
    this.started = this.#start()
  }

  isActive(): boolean {
    return this.#isActive && this.#connection.isOpen()
  }

  stop(): void {
    this.#controller.abort()
  }

  async #start(): Promise<void> {
    const { client, isModern } = this.#connection
    if (client.getServerCapabilities()?.tools?.listChanged !== true) return
    if (!isModern) {
      this.#isActive = true // Older servers send notifications without a subscription.
      return
    }
    const first = this.#listen()
    void this.#follow(first)
    await limited(first, START_MS, () => new Error('late')).catch(() => {
      this.#isLate = true
    })
  }

  #listen(): Promise<McpSubscription> {
    const { signal } = this.#controller
    return this.#connection.client.listen({ toolsListChanged: true }, { timeout: this.#timeoutMs, signal })
  }

  async #follow(first: Promise<McpSubscription>): Promise<void> {
    const { signal } = this.#controller
    let opening = first
    for (let failures = 0; !signal.aborted && this.#connection.isOpen(); ) {
      try {
        const { closed } = await opening
        this.#isActive = true
        if (opening !== first || this.#isLate) this.#onMissed()
        const began = performance.now()
        await closed
        failures = performance.now() - began < STABLE_MS ? failures + 1 : 0
      } catch {
        // A server that refuses the first request has no such stream.
        if (opening === first) return
        failures++
      }
      this.#isActive = false
      try {
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal)
      } catch {
        return
      }
      opening = this.#listen()
    }
  }
}
