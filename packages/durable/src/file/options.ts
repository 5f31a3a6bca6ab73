/** Options for the file engine. */
import type { CrashOptions, RetentionOptions, RunFunction, WatchOptions } from '../engine/engine.ts'
import { checkMaxCrashes, checkRetention, LONGEST_MS, refuseRateLimit, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface FileEngineOptions<Input, Output> extends WatchOptions, CrashOptions, RetentionOptions {
  /** Folder for the journals. Created if it doesn't exist. All runs in a folder use the same function. */
  readonly folder: string
  /**
   * Function that runs execute. Without it, the engine is a client: it starts, decides and reads runs, and other processes
   * execute them.
   */
  readonly fn?: RunFunction<Input, Output> | undefined
  /**
   * Whether to flush each record to disk before the run continues. If false, records survive a crash of the process but not of
   * the machine. Default: true.
   */
  readonly fsync?: boolean | undefined
  /** Maximum number of runs that this engine executes at the same time. Default: 100. Waiting runs don't count. */
  readonly concurrency?: number | undefined
  /** Interval at which to check for runs and orders from other processes, in milliseconds. Default: 500. */
  readonly lookEveryMs?: number | undefined
}

/** Validates the options and fills in the defaults. Throws `invalid_options`. */
export function readFileOptions<Input, Output>(options: FileEngineOptions<Input, Output>) {
  const { folder, fn, fsync = true, concurrency = 100, lookEveryMs = 500, onProblem } = options ?? ({} as typeof options)
  if (typeof folder !== 'string' || folder === '') throw wrong('folder', folder, 'It must be a folder path.')
  if (fn !== undefined && typeof fn !== 'function')
    throw wrong('fn', fn, 'It must be a function (input, run) => output. Omit it to only start and decide runs.')
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw wrong('concurrency', concurrency, 'It must be an integer of at least 1.')
  if (!(lookEveryMs > 0 && lookEveryMs <= LONGEST_MS))
    throw wrong('lookEveryMs', lookEveryMs, `It must be a number of milliseconds up to ${LONGEST_MS}.`)
  if (onProblem !== undefined && typeof onProblem !== 'function') throw wrong('onProblem', onProblem, 'It must be a function.')
  const maxCrashes = checkMaxCrashes('createFileEngine', options.maxCrashes)
  refuseRateLimit('createFileEngine', options)
  const retentionMs = checkRetention('createFileEngine', options.retentionMs)
  return { folder, fn, fsync, concurrency, lookEveryMs, maxCrashes, retentionMs, onProblem }
}

function wrong(option: string, got: unknown, words: string): DurableError {
  return wrongOption('createFileEngine', option, got, words)
}
