/** What an engine in files is created with. */
import type { RunFunction, WatchOptions } from '../engine/engine.ts'
import { LONGEST_MS, wrongOption } from '../engine/options.ts'
import type { DurableError } from '../errors.ts'

export interface FileEngineOptions<Input, Output> extends WatchOptions {
  /** Holds a journal for each run; made when it is not there. Its runs are those of one function. */
  readonly folder: string
  /** Executed here. Without it this process starts runs, decides and looks, and others that have the folder open execute. */
  readonly fn?: RunFunction<Input, Output> | undefined
  /** Bring every record to the disk before a run goes on; true unless told. */
  readonly fsync?: boolean | undefined
  /** Runs that are executed here at the same time; 100 unless told. One that waits is not. */
  readonly concurrency?: number | undefined
  /** How often it looks for what other processes started, decided or left behind, in milliseconds; 500 unless told. */
  readonly lookEveryMs?: number | undefined
}

/** Throws `invalid_options`. */
export function assertFileOptions(options: FileEngineOptions<never, unknown>): void {
  const { folder, fn, concurrency = 1, lookEveryMs = 1, onProblem } = options ?? ({} as typeof options)
  if (typeof folder !== 'string' || folder === '') throw wrong('folder', 'Give the path of a folder for the journals.')
  if (fn !== undefined && typeof fn !== 'function') throw wrong('fn', 'Give a function of the input and the run, or none.')
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw wrong('concurrency', 'Give a whole number from 1 on.')
  if (!(lookEveryMs > 0 && lookEveryMs <= LONGEST_MS)) throw wrong('lookEveryMs', `Give milliseconds up to ${LONGEST_MS}.`)
  if (onProblem !== undefined && typeof onProblem !== 'function')
    throw wrong('onProblem', 'Give a function of a problem, or none.')
}

function wrong(option: string, words: string): DurableError {
  return wrongOption('createFileEngine', option, words)
}
