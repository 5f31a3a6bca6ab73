/** What every command for durable runs is given. Types only. */
import type { LM } from '@x/adapters'
import type { LMChoice } from '../agent/providers.ts'
import type { DomainEntry } from '../domains/domain.ts'
import type { Terminal } from '../view/terminal.ts'
import type { EngineKind } from './engine-kinds.ts'

export interface WorkerSettings {
  readonly kind: EngineKind
  /** All domains: which of them a run has to do with it says itself. */
  readonly domains: readonly DomainEntry[]
  /** Rejects with `UsageError` for what is missing in the environment. */
  createLM(choice: LMChoice): Promise<LM>
  /** The file in which shop and bank are kept; the usual place unless told. */
  readonly database?: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly environment?: NodeJS.ProcessEnv | undefined
}
