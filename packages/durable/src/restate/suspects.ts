/**
 * Finds runs that end their workers. The server counts failed attempts, but also those that found no worker, and those of other runs of a
 * worker that ended. So a run that has failed twice in a row leaves a mark on the server before it is executed, which is removed when
 * the attempt ends. Each mark that is still there is a worker that died.
 */
import type { Report } from '../engine/options.ts'
import { workerCrashed } from '../engine/run-errors.ts'
import type { RestateServer, Sent } from './restate-server.ts'
import type { AttemptStart } from './start-message.ts'

type Server = Pick<RestateServer, 'mark' | 'kill' | 'purge'>

/** Number of failed attempts in a row after which a run leaves a mark. Most interrupted runs end without one. */
const FROM = 2

export interface Suspect {
  /** Lets the next suspect start, because the run has a new record. */
  readonly hasRecord: () => void
  /** Lets the next suspect start, and removes the mark. */
  readonly end: () => void
}

export class Suspects {
  readonly #server: Server
  readonly #maxCrashes: number
  readonly #report: Report
  /** Resolves when the suspects that came before have a new record or have ended. */
  #place: Promise<void> = Promise.resolve()
  readonly #removals = new Set<Promise<void>>()

  constructor(server: Server, maxCrashes: number, report: Report) {
    this.#server = server
    this.#maxCrashes = maxCrashes
    this.#report = report
  }

  /**
   * Resolves when the attempt may start. Rejects with `worker_crashed` if the worker has died too often, and when the attempt is stopped.
   * Of the runs whose worker has died after they left a mark, one is executed at a time, so that its crash doesn't count against the others.
   */
  async admit(id: string, { entries, retries }: AttemptStart, stopped: Promise<never>): Promise<Suspect | undefined> {
    if (retries < FROM) return undefined
    const marks: Sent[] = []
    let leave = () => {}
    for (let crashes = FROM; crashes < this.#maxCrashes; crashes++) {
      if (crashes === FROM + 1) leave = await this.#enter(stopped)
      const mark = await this.#server.mark(id, `${entries} ${crashes}`).catch((cause): undefined => {
        this.#report(cause)
      })
      // Without a mark, the attempt isn't counted.
      if (mark !== undefined) marks.push(mark)
      if (mark?.wasThere) continue
      let isEnded = mark === undefined
      const end = () => {
        leave()
        if (mark === undefined || isEnded) return
        isEnded = true
        const removal = this.#remove(mark).finally(() => this.#removals.delete(removal))
        this.#removals.add(removal)
      }
      return { hasRecord: leave, end }
    }
    leave()
    // If the run is resumed, its crashes are counted from the start.
    await Promise.all(marks.map((mark) => this.#remove(mark)))
    throw workerCrashed(id, this.#maxCrashes)
  }

  /** Resolves when the marks of all attempts that have ended are removed. */
  async settled(): Promise<void> {
    await Promise.all(this.#removals)
  }

  /** Waits for the worker's only place for a suspect. Resolves to the function that leaves it. */
  async #enter(stopped: Promise<never>): Promise<() => void> {
    const before = this.#place
    let leave = () => {}
    this.#place = new Promise((resolve) => {
      leave = resolve
    })
    try {
      await Promise.race([before, stopped])
      return leave
    } catch (cause) {
      void before.then(leave)
      throw cause
    }
  }

  async #remove({ invocation }: Sent): Promise<void> {
    const { kill, purge } = this.#server
    await kill(invocation)
      .then(() => purge(invocation))
      .catch(this.#report)
  }
}
