/** Engines for `--durable`, and their interface. */
import type { RunFunction } from '@x/durable'
import type { DemoEngine, RunInput, RunOutput } from './run-data.ts'

/** Values of `--durable`. */
export const ENGINES = ['file', 'dbos', 'restate'] as const

export type EngineKind = (typeof ENGINES)[number]

export interface EngineSettings {
  /** The run function, which makes this process a worker. Without it, the process only starts, decides and reads runs. */
  readonly fn?: RunFunction<RunInput, RunOutput> | undefined
  /** Directory of file-based runs. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

export interface EngineOpener {
  open(settings: EngineSettings): Promise<DemoEngine>
  /** Advice for the user if the engine can't be used, as part of the error message. */
  readonly wayOut: string
}
