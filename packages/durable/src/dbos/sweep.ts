/** Regularly looks for runs of dead workers, and for runs that this worker has lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type Pg from 'pg'
import { assertLooking } from '../engine/health.ts'
import type { Report } from '../engine/options.ts'
import { runCancelled, workerCrashed } from '../engine/run-errors.ts'
import { DurableError } from '../errors.ts'
import type { Names } from './names.ts'
import { lockKey, type OwnerLock } from './owner-lock.ts'
import { removeExpired } from './removal.ts'
import type { Store } from './store.ts'
import { readStates } from './tables.ts'
import { handBack, hasSuspects, readOwned, readOwners, readStranded, takeOver } from './take-over.ts'
import { isNext, promote } from './versions.ts'
import { wakeDecided } from './waiting.ts'
import { lost, type WorkflowRun } from './workflow-run.ts'

/** Maximum interval at which expired runs are removed, in milliseconds. */
const EXPIRE_EVERY_MS = 60_000

export interface SweepOptions {
  readonly lock: OwnerLock
  readonly store: Store
  readonly names: Names
  readonly executor: string
  readonly version: string
  readonly sweepMs: number
  readonly leaseMs: number
  readonly maxCrashes: number
  readonly retentionMs: number | undefined
  readonly report: Report
  /** Names of the queues from which DBOS takes runs, apart from the queue that every worker always polls. */
  readonly queueNames: Set<string>
  /** Runs that this worker is executing, by workflow id. */
  readonly lives: ReadonlyMap<string, WorkflowRun>
}

export class Sweep {
  readonly #options: SweepOptions
  readonly #closing = new AbortController()
  readonly #done: Promise<void>
  /** The session for which the next four fields are valid. */
  #session: Pg.Client | undefined
  /**
   * Workers whose lock was free at the last check. Such a worker may only have lost its session. It has until the next check to
   * take the lock again.
   */
  #suspects = new Set<string>()
  /**
   * Runs that were assigned to this worker at the last check but that it isn't executing. It has stopped them, or never received
   * the assignment.
   */
  #missed = new Set<string>()
  /**
   * True if no newer version had workers at the last check. They may only have lost their sessions, so they have until the next
   * check.
   */
  #wasNext = false
  /** Versions that have been reported and whose runs are still waiting for a worker. */
  #stranded = new Set<string>()
  #reportAt = 0
  #expireAt = 0
  #lookedAt = performance.now()

  constructor(options: SweepOptions) {
    this.#options = options
    this.#done = this.#sweep()
  }

  assertLooking(): void {
    const { sweepMs, leaseMs } = this.#options
    assertLooking(this.#lookedAt, sweepMs + leaseMs)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#done
  }

  async #sweep(): Promise<void> {
    const { lock, sweepMs } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      const { session } = lock
      try {
        if (session !== undefined) {
          await this.#look(session)
          this.#lookedAt = performance.now()
        }
      } catch (cause) {
        // The connection may be broken. Dropping the session also releases its locks; the next check uses a new session.
        if (session !== undefined) lock.drop(session, cause)
      }
      await sleep(sweepMs, undefined, { signal }).catch(() => {})
    }
  }

  async #look(session: Pg.Client): Promise<void> {
    if (session !== this.#session) {
      this.#session = session
      this.#suspects.clear()
      this.#missed.clear()
      this.#wasNext = false
    }
    const { names, executor } = this.#options
    const owners = (await readOwners(session, names)).filter((owner) => owner !== executor)
    for (const owner of owners) await this.#lookAt(session, owner)
    await this.#listenForSuspects(session)
    await this.#requeueMissed(session)
    await this.#stopForeign()
    await this.#takeUnversioned(session)
    await wakeDecided(session, names)
    await this.#reportStranded(session)
    await this.#removeExpired(session)
  }

  /** Polls the queue for suspects only while it contains any. */
  async #listenForSuspects(session: Pg.Client): Promise<void> {
    const { names, version, queueNames } = this.#options
    if (await hasSuspects(session, names, version)) queueNames.add(names.suspects)
    else queueNames.delete(names.suspects)
  }

  async #takeUnversioned(session: Pg.Client): Promise<void> {
    const { names, version } = this.#options
    const isNow = await isNext(session, names, version)
    if (isNow && this.#wasNext) await promote(session, names, version)
    this.#wasNext = isNow
  }

  async #removeExpired(session: Pg.Client): Promise<void> {
    const { store, names, retentionMs } = this.#options
    if (retentionMs === undefined || performance.now() < this.#expireAt) return
    const isDone = await removeExpired(session, store, names, retentionMs)
    if (isDone) this.#expireAt = performance.now() + Math.min(EXPIRE_EVERY_MS, retentionMs)
  }

  /** Reports each other version once for as long as its runs wait for a worker. */
  async #reportStranded(session: Pg.Client): Promise<void> {
    const { names, version, leaseMs, report } = this.#options
    if (performance.now() < this.#reportAt) return
    this.#reportAt = performance.now() + leaseMs
    const stranded = await readStranded(session, names, version, leaseMs)
    for (const { version: other, runs } of stranded)
      if (!this.#stranded.has(other)) report(noWorker(names.ownVersion(other), runs, leaseMs))
    this.#stranded = new Set(stranded.map((row) => row.version))
  }

  async #lookAt(session: Pg.Client, owner: string): Promise<void> {
    const key = lockKey(owner)
    const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS taken', [key])
    const wasSuspect = this.#suspects.delete(owner)
    if (!rows[0].taken) return
    if (wasSuspect) await this.#takeOver(session, owner)
    else this.#suspects.add(owner)
    await session.query('SELECT pg_advisory_unlock($1)', [key])
  }

  async #takeOver(session: Pg.Client, owner: string): Promise<void> {
    const { names, maxCrashes, report } = this.#options
    const crashed = await takeOver(session, names, owner, maxCrashes)
    for (const { workflowId, crashes } of crashed) report(workerCrashed(names.runId(workflowId), crashes))
  }

  async #requeueMissed(session: Pg.Client): Promise<void> {
    const { names, executor, lives } = this.#options
    const owned = await readOwned(session, names, executor)
    const missing = owned.filter((workflowId) => lives.get(workflowId)?.isStopped !== false)
    const again = missing.filter((workflowId) => this.#missed.has(workflowId))
    this.#missed = new Set(missing)
    if (again.length > 0) await handBack(session, names, executor, again)
  }

  async #stopForeign(): Promise<void> {
    const { store, executor, lives } = this.#options
    const seen = [...lives]
    if (seen.length === 0) return
    const states = await readStates(store.pool, [...lives.keys()])
    for (const [workflowId, live] of seen) {
      const state = states.get(workflowId)
      if (state?.status === 'CANCELLED') live.stop(runCancelled(live.id))
      else if (state?.status !== 'PENDING' || state.executor !== executor) live.stop(lost(live.id))
    }
  }
}

function noWorker(version: string, runs: number, leaseMs: number): DurableError {
  const count = runs === 1 ? '1 run' : `${runs} runs`
  return new DurableError(
    'no_worker',
    `${count} of version "${version}" ${runs === 1 ? 'has' : 'have'} been queued for more than ${leaseMs} ms. Start workers of that version, or more of them.`,
  )
}
