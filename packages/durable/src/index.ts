/** Runs that outlive their processes: the contract of engines, the engine in files, and what other engines are made of. */
export type {
  DurableEngine,
  DurableRun,
  ListOptions,
  RunFunction,
  RunState,
  RunStatus,
  WaitOptions,
  WaitsFor,
  WatchOptions,
} from './engine.ts'
export type { DurableErrorCode, DurableErrorOptions, RunFailure } from './errors.ts'
export { DurableError } from './errors.ts'
export { createFileEngine } from './file/file-engine.ts'
export type { FileEngineOptions } from './file/options.ts'
export type { FileJournal, FileJournalOptions } from './journal/file-journal.ts'
export { fileJournal } from './journal/file-journal.ts'
export type { NextRecord } from './ordered-steps.ts'
export { OrderedSteps } from './ordered-steps.ts'
export type { Decided, Play } from './play-run.ts'
export { playRun } from './play-run.ts'
