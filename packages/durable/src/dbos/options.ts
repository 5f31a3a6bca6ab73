/** Options for the DBOS engine. */
import type { CrashOptions, RunFunction, WatchOptions } from '../engine/engine.ts'
import { checkMaxCrashes, LONGEST_MS, type Report, toReport, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface DbosEngineOptions<Input, Output> extends WatchOptions, CrashOptions {
  /** Name for the runs. Engines with the same name share them. A database may hold several names. 1 to 100 letters, digits and `._:-`. */
  readonly name: string
  /**
   * URL of a PostgreSQL database, version 14 or later: `postgres://user:password@host:5432/database`. DBOS creates its tables in a schema
   * "dbos". Don't connect through a pooler in transaction mode: a worker counts as alive only while its session is open.
   */
  readonly databaseUrl: string
  /** Function to execute. Without it, this process only starts, decides and reads runs, and workers execute them. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /**
   * Version of `fn`. Default: '1'. Change it when `fn` requests different steps than before. A run is executed only by workers of the
   * version that it was started with, so keep such workers until their runs have ended. DBOS's own default, a hash of the source, would
   * abandon runs at every build.
   *
   * By default, an engine without `fn` starts runs without a version. Workers of the newest version execute them, or any worker if none
   * takes them within `leaseMs`.
   */
  readonly version?: string | undefined
  /**
   * Maximum number of runs that one worker executes at the same time. Default: 100. Waiting runs don't count. A worker takes as many runs as
   * it can, so a lower number spreads runs more evenly. The value is stored in the database: the worker that was created last determines it
   * for all workers of that name.
   */
  readonly concurrency?: number | undefined
  /** How often a worker looks for runs of dead workers, in milliseconds. Default: 2000. */
  readonly sweepMs?: number | undefined
  /**
   * Time in milliseconds after which a silent worker loses its runs, and an unresponsive database counts as failed. At least
   * 2 × `sweepMs`. Default: 10,000.
   */
  readonly leaseMs?: number | undefined
}

/** Validated options with defaults. */
export interface Settings {
  readonly name: string
  readonly databaseUrl: string
  readonly version: string | undefined
  readonly concurrency: number
  readonly sweepMs: number
  readonly leaseMs: number
  readonly maxCrashes: number
  readonly report: Report
}

const NAME = /^[A-Za-z0-9._:-]{1,100}$/
/** `leaseMs` must be at least twice as long. */
const LONGEST_SWEEP_MS = Math.floor(LONGEST_MS / 2)
const NAME_RULE = 'It must be 1 to 100 characters: letters, digits, or any of . _ : -'

/** Throws `invalid_options`. */
export function readOptions<Input, Output>(options: DbosEngineOptions<Input, Output>): Settings {
  const {
    name,
    databaseUrl,
    fn,
    version,
    concurrency = 100,
    sweepMs = 2000,
    leaseMs = 10_000,
    onProblem,
  } = options ?? ({} as typeof options)
  if (typeof name !== 'string' || !NAME.test(name)) throw wrong('name', name, NAME_RULE)
  if (!isDatabaseUrl(databaseUrl))
    throw wrong('databaseUrl', databaseUrl, 'It must look like "postgres://user@host:5432/database".')
  if (fn !== undefined && typeof fn !== 'function')
    throw wrong('fn', fn, 'It must be a function (input, run) => output. Omit it to only start and decide runs.')
  if (version !== undefined && !NAME.test(version)) throw wrong('version', version, NAME_RULE)
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw wrong('concurrency', concurrency, 'It must be an integer of at least 1.')
  if (!(sweepMs >= 1 && sweepMs <= LONGEST_SWEEP_MS))
    throw wrong('sweepMs', sweepMs, `It must be 1 to ${LONGEST_SWEEP_MS} milliseconds.`)
  if (!(leaseMs >= 2 * sweepMs && leaseMs <= LONGEST_MS))
    throw wrong('leaseMs', leaseMs, `It must be from ${2 * sweepMs} (2 × sweepMs) to ${LONGEST_MS} milliseconds.`)
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', onProblem, 'It must be a function.')
  const report = toReport(onProblem, 'A DBOS or database operation failed and is retried')
  const maxCrashes = checkMaxCrashes('createDbosEngine', options.maxCrashes)
  return { name, databaseUrl, version, concurrency, sweepMs, leaseMs, maxCrashes, report }
}

function isDatabaseUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, username, pathname } = new URL(url)
  return /^postgres(ql)?:$/.test(protocol) && hostname !== '' && username !== '' && pathname.length > 1
}

function wrong(option: string, got: unknown, words: string): DurableError {
  return wrongOption('createDbosEngine', option, got, words)
}
