/** What a tool that asks a model itself tells of it: progress of a known form. */
import type { Usage } from '@x/adapters'
import { isAmount } from './spending.ts'

/** As `call_progress` of the run: what one request to a model used. Plain data. */
export interface ModelUsage {
  readonly type: 'model_usage'
  readonly usage: Usage
}

/** True for such progress, with amounts that can be added up. */
export function isModelUsage(update: unknown): update is ModelUsage {
  const { type, usage } = (update ?? {}) as { type?: unknown; usage?: unknown }
  if (type !== 'model_usage' || typeof usage !== 'object' || usage === null) return false
  return Object.values(usage).every(isAmount)
}
