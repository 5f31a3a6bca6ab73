/** What an engine on DBOS is created with. */
import type { RunFunction, WatchOptions } from '../engine/engine.ts'
import { LONGEST_MS, type Tell, toTell, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface DbosEngineOptions<Input, Output> extends WatchOptions {
  /** Of the runs: engines of one name share them. Several names may share a database. 1 to 100 letters, digits and ". _ : -". */
  readonly name: string
  /**
   * Of a database in PostgreSQL 14 or later: `postgres://user:password@host:5432/database`. DBOS keeps its tables there in a schema "dbos".
   * Not through a pooler that gives each transaction another session: workers are known to live by theirs.
   */
  readonly databaseUrl: string
  /** Executed here. Without it this process starts runs, decides and looks, and workers execute. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /**
   * Of what `fn` does; '1' unless told. Change it when `fn` asks for other steps than before: a run is executed by workers of the version
   * it began with only, so keep such workers until those runs are over. DBOS's own default, a hash of the source, would leave them
   * behind with every build. An engine without `fn` starts runs for no version unless it is told one: the newest has them, or another
   * one when that does not take them within `leaseMs`.
   */
  readonly version?: string | undefined
  /**
   * Runs that are executed by one worker at the same time; 100 unless told. One that waits for a decision holds its place. A worker takes
   * as many as it may at once, so a lower number spreads runs better. It is kept in the database: the worker that was created last decides
   * for all of this name.
   */
  readonly concurrency?: number | undefined
  /** How often a worker looks for runs that others left behind, in milliseconds; 2000 unless told. */
  readonly sweepMs?: number | undefined
  /**
   * A worker that is not heard of for so long loses its runs to others, and a database that does not answer for so long has failed, in
   * milliseconds; 10 000 unless told. At least 2 × `sweepMs`.
   */
  readonly leaseMs?: number | undefined
}

/** As they are used. */
export interface Settings {
  readonly name: string
  readonly databaseUrl: string
  readonly version: string | undefined
  readonly concurrency: number
  readonly sweepMs: number
  readonly leaseMs: number
  readonly tell: Tell
}

const NAME = /^[A-Za-z0-9._:-]{1,100}$/

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
  if (typeof name !== 'string' || !NAME.test(name)) throw wrong('name', 'Give 1 to 100 letters, digits and ". _ : -".')
  if (!isDatabaseUrl(databaseUrl)) throw wrong('databaseUrl', 'Give one like "postgres://user@host:5432/database".')
  if (fn !== undefined && typeof fn !== 'function') throw wrong('fn', 'Give a function of the input and the run, or none.')
  if (version !== undefined && !NAME.test(version)) throw wrong('version', 'Give 1 to 100 letters, digits and ". _ : -".')
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw wrong('concurrency', 'Give a whole number from 1 on.')
  if (!(sweepMs >= 1 && sweepMs <= LONGEST_MS)) throw wrong('sweepMs', `Give milliseconds from 1 to ${LONGEST_MS}.`)
  if (!(leaseMs >= 2 * sweepMs && leaseMs <= LONGEST_MS)) throw wrong('leaseMs', `Give at least 2 × sweepMs, ${2 * sweepMs}.`)
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', 'Give a function, or none.')
  const tell = toTell(onProblem, 'DBOS or its database did not do what is tried again')
  return { name, databaseUrl, version, concurrency, sweepMs, leaseMs, tell }
}

function isDatabaseUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, username, pathname } = new URL(url)
  return /^postgres(ql)?:$/.test(protocol) && hostname !== '' && username !== '' && pathname.length > 1
}

function wrong(option: string, words: string): DurableError {
  return wrongOption('createDbosEngine', option, words)
}
