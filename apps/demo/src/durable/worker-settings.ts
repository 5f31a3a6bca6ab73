/** Options for all commands that work with durable runs. Types only. */
import type { LM } from '@x/adapters'
import type { LMChoice } from '../agent/providers.ts'
import type { DomainEntry } from '../domains/domain.ts'
import type { Terminal } from '../view/terminal.ts'
import type { EngineKind } from './engine.ts'

export interface WorkerSettings {
  readonly kind: EngineKind
  /** All domains. A run may use only one of them. */
  readonly domains: readonly DomainEntry[]
  /** Creates a model. Rejects with `UsageError` if an environment variable is missing. */
  createLM(choice: LMChoice): Promise<LM>
  /** Database file of the shop and the bank. Default: `.data/demo.sqlite`. */
  readonly database?: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly environment?: NodeJS.ProcessEnv | undefined
}
