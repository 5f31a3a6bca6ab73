/** Options for the file engine. */
import type { CrashOptions, RunFunction, WatchOptions } from '../engine/engine.ts'
import { checkMaxCrashes, LONGEST_MS, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface FileEngineOptions<Input, Output> extends WatchOptions, CrashOptions {
  /** Folder for the journals. It is created if it doesn't exist. All of its runs use the same function. */
  readonly folder: string
  /** Function to execute. Without it, this process only starts, decides and reads runs, and other processes execute them. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /** Flush every record to disk before the run continues. Default: true. */
  readonly fsync?: boolean | undefined
  /** Maximum number of runs that this engine executes at the same time. Waiting runs don't count. Default: 100. */
  readonly concurrency?: number | undefined
  /** How often to look for runs and orders from other processes, in milliseconds. Default: 500. */
  readonly lookEveryMs?: number | undefined
}

/** Fills in the defaults. Throws `invalid_options`. */
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
  return { folder, fn, fsync, concurrency, lookEveryMs, maxCrashes, onProblem }
}

function wrong(option: string, got: unknown, words: string): DurableError {
  return wrongOption('createFileEngine', option, got, words)
}
