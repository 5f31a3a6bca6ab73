/** Durable runs: the engine interface, the file engine, and the parts for building other engines. */
export { type CancellingEngine, cancelAll } from './engine/cancel-all.ts'
export type {
  CrashOptions,
  DurableEngine,
  DurableRun,
  EngineHealth,
  EngineStats,
  ListOptions,
  ListPosition,
  RetentionOptions,
  RunFilter,
  RunFunction,
  RunState,
  RunStatus,
  WaitOptions,
  WaitsFor,
  WatchOptions,
} from './engine/engine.ts'
export type { NextRecord } from './engine/ordered-steps.ts'
export { OrderedSteps } from './engine/ordered-steps.ts'
export type { Decided, Play } from './engine/play-run.ts'
export { playRun } from './engine/play-run.ts'
export { untilStopped } from './engine/until-stopped.ts'
export type { DurableErrorCode, DurableErrorOptions, RunFailure } from './errors.ts'
export { DurableError } from './errors.ts'
export { createFileEngine } from './file/file-engine.ts'
export type { FileJournal, FileJournalOptions } from './file/journal/file-journal.ts'
export { fileJournal } from './file/journal/file-journal.ts'
export type { FileEngineOptions } from './file/options.ts'
