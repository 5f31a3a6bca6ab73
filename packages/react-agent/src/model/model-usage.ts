/** Progress of a tool that calls a model itself: the usage of its requests. */
import type { Usage } from '@x/adapters'
import { isAmount } from './spending.ts'

/** Usage of one request to a model, as the `update` of a `call_progress` event. Plain data. */
export interface ModelUsage {
  readonly type: 'model_usage'
  readonly usage: Usage
}

/** True for a `ModelUsage` with valid amounts. */
export function isModelUsage(update: unknown): update is ModelUsage {
  const { type, usage } = (update ?? {}) as { type?: unknown; usage?: unknown }
  if (type !== 'model_usage' || typeof usage !== 'object' || usage === null) return false
  return Object.values(usage).every(isAmount)
}
