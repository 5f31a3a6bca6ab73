/**
 * Executes orders for the runs of this process. Also executes orders for runs that no process has, because their senders may be
 * dead.
 */
import { DurableError } from '../errors.ts'
import { obey } from './changes.ts'
import type { Received } from './mailbox.ts'
import { isInUse, type RunStore } from './run-store.ts'

export class OrderDesk {
  readonly #store: RunStore
  readonly #onDone: (id: string) => void
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined

  /** `onDone` is called with the run id after each executed order. */
  constructor(store: RunStore, everyMs: number, onDone: (id: string) => void) {
    this.#store = store
    this.#onDone = onDone
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  #look(): void {
    this.#looking ??= this.#obeyAll()
      .catch(this.#store.report)
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #obeyAll(): Promise<void> {
    for (const received of await this.#store.mailbox.receive()) await this.#obey(received)
  }

  async #obey({ order, remove }: Received): Promise<void> {
    const store = this.#store
    const { id } = order
    // While the journal can't be written, the order stays.
    const isStuck = () => store.live.get(id)?.owned.journal.problem !== undefined
    if (isStuck()) return
    try {
      await store.alone(id, async () => {
        const live = store.live.get(id)
        if (live !== undefined) return await obey(order, live.owned, live)
        await using owned = await store.own(id)
        return owned && (await obey(order, owned))
      })
    } catch (cause) {
      // If another process has the run, it will execute the order.
      if (isInUse(cause) || isStuck()) return
      // The sender finds this error in the journal and reports it.
      if (!(cause instanceof DurableError && cause.code === 'already_decided')) store.report(cause)
    }
    await remove()
    this.#onDone(id)
  }
}
