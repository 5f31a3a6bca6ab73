/** Options for the DBOS engine. */
import type { CrashOptions, RetentionOptions, RunFunction, WatchOptions } from '../engine/engine.ts'
import { checkMaxCrashes, checkRetention, LONGEST_MS, type Report, toReport, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface RateLimit {
  readonly runs: number
  /** Length of the period, in milliseconds. The period is a moving window. */
  readonly everyMs: number
}

export interface DbosEngineOptions<Input, Output> extends WatchOptions, CrashOptions, RetentionOptions {
  /**
   * Name of the service that the runs belong to. Engines with the same name share their runs. A database may contain several
   * names. 1 to 100 letters, digits and `._:-`.
   */
  readonly name: string
  /**
   * URL of a PostgreSQL database, version 14 or later: `postgres://user:password@host:5432/database`. DBOS creates its tables in
   * the schema "dbos". Don't use a connection pooler in transaction mode: a worker counts as alive only while its session is
   * open.
   */
  readonly databaseUrl: string
  /**
   * Function that runs execute. Without it, the engine is a client: it starts, decides and reads runs, and workers execute them.
   */
  readonly fn?: RunFunction<Input, Output> | undefined
  /**
   * Version of `fn`. Change it when `fn` requests other steps than before. Only workers of the version with which a run was
   * started execute that run, so keep these workers until their runs have ended. DBOS's own default, a hash of the source, would
   * strand runs after every build. Default: '1'.
   *
   * Without `fn`, the default is no version: the workers of the newest version execute the runs. That is the version whose first
   * worker started last, among the versions that have workers.
   */
  readonly version?: string | undefined
  /**
   * Maximum number of runs that one worker executes at the same time. Default: 100. Waiting runs don't count. A worker takes as
   * many runs as it can, so a lower number spreads runs more evenly. The number is stored in the database, so the worker that was
   * created last sets it for all workers of this name.
   */
  readonly concurrency?: number | undefined
  /**
   * Maximum number of runs that all workers together start or continue in a period. A run that continues after a decision or
   * after its worker has died counts again. Stored in the database, like `concurrency`. Default: no limit.
   */
  readonly rateLimit?: RateLimit | undefined
  /** Interval at which a worker checks for runs of dead workers, in milliseconds. Default: 2,000. */
  readonly sweepMs?: number | undefined
  /**
   * Time after which a silent worker loses its runs, and a silent database counts as failed, in milliseconds. Another worker takes
   * the runs over at most two sweeps later. At least twice `sweepMs`. Default: 10,000.
   */
  readonly leaseMs?: number | undefined
}

/** Validated options with defaults. */
export interface Settings {
  readonly name: string
  readonly databaseUrl: string
  readonly version: string | undefined
  readonly concurrency: number
  readonly rateLimit: RateLimit | undefined
  readonly sweepMs: number
  readonly leaseMs: number
  readonly maxCrashes: number
  readonly retentionMs: number | undefined
  readonly report: Report
}

const NAME = /^[A-Za-z0-9._:-]{1,100}$/
/** Maximum for `sweepMs`, because `leaseMs` must be at least twice as long. */
const LONGEST_SWEEP_MS = Math.floor(LONGEST_MS / 2)
/** Maximum of an integer column. */
const MOST = 2_147_483_647
const NAME_RULE = 'It must have 1 to 100 characters: letters, digits, or any of . _ : -'

/** Validates the options and fills in the defaults. Throws `invalid_options`. */
export function readOptions<Input, Output>(options: DbosEngineOptions<Input, Output>): Settings {
  const {
    name,
    databaseUrl,
    fn,
    version,
    concurrency = 100,
    rateLimit,
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
  if (!isCount(concurrency)) throw wrong('concurrency', concurrency, `It must be an integer from 1 to ${MOST}.`)
  if (rateLimit !== undefined && !isRateLimit({ ...rateLimit }))
    throw wrong('rateLimit', rateLimit, `It must be { runs, everyMs }, with an integer from 1 to ${MOST} and a time above 0.`)
  if (!(sweepMs >= 1 && sweepMs <= LONGEST_SWEEP_MS))
    throw wrong('sweepMs', sweepMs, `It must be 1 to ${LONGEST_SWEEP_MS} milliseconds.`)
  if (!(leaseMs >= 2 * sweepMs && leaseMs <= LONGEST_MS))
    throw wrong('leaseMs', leaseMs, `It must be from ${2 * sweepMs} (2 × sweepMs) to ${LONGEST_MS} milliseconds.`)
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', onProblem, 'It must be a function.')
  const report = toReport(onProblem, 'A DBOS or database operation failed and is retried')
  const maxCrashes = checkMaxCrashes('createDbosEngine', options.maxCrashes)
  const retentionMs = checkRetention('createDbosEngine', options.retentionMs)
  return { name, databaseUrl, version, concurrency, rateLimit, sweepMs, leaseMs, maxCrashes, retentionMs, report }
}

function isRateLimit({ runs = 0, everyMs = 0 }: Partial<RateLimit>): boolean {
  return isCount(runs) && Number.isFinite(everyMs) && everyMs > 0
}

/** DBOS stores these numbers in columns of 32 bits. */
function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST
}

function isDatabaseUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, username, pathname } = new URL(url)
  return /^postgres(ql)?:$/.test(protocol) && hostname !== '' && username !== '' && pathname.length > 1
}

function wrong(option: string, got: unknown, words: string): DurableError {
  return wrongOption('createDbosEngine', option, got, words)
}
