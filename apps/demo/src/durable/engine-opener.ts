/** What each engine of the demo brings. Types only. */
import type { RunFunction } from '@x/durable'
import type { DemoEngine, RunInput, RunOutput } from './run-data.ts'

export interface EngineSettings {
  /** Makes this process a worker; without it the process asks, decides and looks. */
  readonly fn?: RunFunction<RunInput, RunOutput> | undefined
  /** Of the runs that are kept in files. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

export interface EngineOpener {
  open(settings: EngineSettings): Promise<DemoEngine>
  /** What to do when the engine cannot be used. */
  readonly wayOut: string
}
