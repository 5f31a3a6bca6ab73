/**
 * Finds runs that end their workers. The server counts failed attempts, but also those that found no worker, those that a closing worker
 * returned, and those of other runs of a worker that ended. So a run whose last attempt has failed leaves a mark on the server before it
 * is executed, which is removed when the attempt ends. Each mark that is still there is a worker that died, or a mark that couldn't be
 * removed.
 */
import type { Report } from '../engine/options.ts'
import { workerCrashed } from '../engine/run-errors.ts'
import type { RestateServer, Sent } from './restate-server.ts'
import type { AttemptStart } from './start-message.ts'

type Server = Pick<RestateServer, 'mark' | 'kill' | 'purge'>

/** Delay of a suspect for each crash from the second on, in milliseconds. */
const DELAY_MS = 1000
/** Number of crashes after which that delay grows no more. */
const MOST_DELAYS = 12
/** How many times longer that delay is while the worker executes other runs. A crash interrupts them. */
const BUSY = 5
/** How often a delayed suspect checks whether the worker executes other runs, in milliseconds. */
const CHECK_MS = 100
/** Maximum time from the start of an interrupted run to that of the next one, in milliseconds. */
const STAGGER_MS = 300
/** If many runs wait, that maximum is this time, in milliseconds, divided by their number. */
const LINE_MS = 15_000

/** Number of crashes in a row after which a run is a suspect: it may be the cause. */
const SUSPECT = 2

export interface Marked {
  /** Lets the next run in line start, because this one has a new record. */
  readonly hasRecord: () => void
  /** Lets the next run in line start, and removes the mark. */
  readonly end: () => void
}

export class Suspects {
  readonly #server: Server
  readonly #maxCrashes: number
  readonly #report: Report
  /** The attempts that the worker is executing, including those that wait here. */
  readonly #attempts: ReadonlySet<unknown>
  readonly #interrupted = new Line()
  readonly #suspects = new Line()
  /** Number of suspects that are delayed here. */
  #delayed = 0
  readonly #removals = new Set<Promise<void>>()

  constructor(server: Server, maxCrashes: number, report: Report, attempts: ReadonlySet<unknown>) {
    this.#server = server
    this.#maxCrashes = maxCrashes
    this.#report = report
    this.#attempts = attempts
  }

  /**
   * Resolves when the attempt may start. Rejects with `worker_crashed` if the worker has died too often, and when the attempt is stopped.
   * Runs start one after the other, so that one that kills the worker is almost always the only run whose mark stays. Such a suspect also
   * waits, and starts when the suspect before it has a new record.
   */
  async admit(id: string, { entries, retries }: AttemptStart, stopped: Promise<never>): Promise<Marked | undefined> {
    if (retries === 0) return undefined
    const marks: Sent[] = []
    for (let crashes = 1; crashes < this.#maxCrashes; crashes++) {
      if (crashes >= SUSPECT && crashes < SUSPECT + MOST_DELAYS) await this.#delay(stopped)
      const leave = await this.#enter(crashes >= SUSPECT, stopped)
      const mark = await this.#server.mark(id, `${entries} ${crashes}`).catch((cause): undefined => {
        this.#report(cause)
      })
      if (mark?.wasThere) {
        marks.push(mark)
        leave()
        continue
      }
      // Without a mark, the attempt isn't counted.
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
    // If the run is resumed, its crashes are counted from the start.
    await Promise.all(marks.map((mark) => this.#remove(mark)))
    throw workerCrashed(id, this.#maxCrashes)
  }

  /** Resolves when the marks of all attempts that have ended are removed. */
  async settled(): Promise<void> {
    await Promise.all(this.#removals)
  }

  async #delay(stopped: Promise<never>): Promise<void> {
    this.#delayed++
    try {
      const isBusy = () => this.#attempts.size > this.#delayed
      for (let ms = 0; ms < DELAY_MS * (isBusy() ? BUSY : 1); ms += CHECK_MS)
        await Promise.race([new Promise((resolve) => setTimeout(resolve, CHECK_MS).unref()), stopped])
    } finally {
      this.#delayed--
    }
  }

  /** Waits for the run's turn. Resolves to the function that lets the next one start. */
  async #enter(isSuspect: boolean, stopped: Promise<never>): Promise<() => void> {
    const leaveSuspects = isSuspect ? await this.#suspects.enter(stopped) : () => {}
    const leaveInterrupted = await this.#interrupted.enter(stopped).catch((cause) => {
      leaveSuspects()
      throw cause
    })
    setTimeout(leaveInterrupted, Math.min(STAGGER_MS, LINE_MS / (this.#interrupted.size + 1))).unref()
    return () => {
      leaveSuspects()
      leaveInterrupted()
    }
  }

  async #remove({ invocation }: Sent): Promise<void> {
    const { kill, purge } = this.#server
    await kill(invocation)
      .then(() => purge(invocation))
      .catch(this.#report)
  }
}

/** Lets runs through one after the other. */
class Line {
  /** Resolves when those that came before have left. */
  #last: Promise<void> = Promise.resolve()
  /** Number of runs in line. */
  size = 0

  /** Waits for a turn. Resolves to the function that leaves the line. Rejects when `stopped` does. */
  async enter(stopped: Promise<never>): Promise<() => void> {
    const before = this.#last
    let leave = () => {}
    this.#last = new Promise((resolve) => {
      leave = resolve
    })
    this.size++
    try {
      await Promise.race([before, stopped])
      return leave
    } catch (cause) {
      void before.then(leave)
      throw cause
    } finally {
      this.size--
    }
  }
}
