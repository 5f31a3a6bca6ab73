/** Sends a tool's progress as MCP notifications. */
import { boundOutput } from '@x/tool-core'

export interface ProgressParams {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface ProgressSender {
  /** Callback to pass as `CallOptions.progress`. */
  readonly progress: (update: unknown) => void
  /** Resolves when all notifications have been sent. Never rejects. */
  settled(): Promise<void>
}

const MAX_MESSAGE = 2_000

/**
 * Creates a sender for progress updates. A number is sent as the progress. An object may have `progress`, `total` and `message`.
 * Anything else is sent as the message of the next step. The protocol requires increasing numbers, so updates that don't increase
 * the number are skipped.
 */
export function createProgressSender(send: (params: ProgressParams) => Promise<void>): ProgressSender {
  let last = Number.NEGATIVE_INFINITY
  let sent = Promise.resolve()
  return {
    progress(update) {
      const params = toParams(update, last)
      if (params.progress <= last) return
      last = params.progress
      sent = sent.then(() => send(params)).catch(() => {})
    },
    settled: () => sent,
  }
}

function toParams(update: unknown, last: number): ProgressParams {
  if (isFiniteNumber(update)) return { progress: update }
  const next = Math.max(last, 0) + 1
  if (typeof update !== 'object' || update === null || Array.isArray(update))
    return { progress: next, message: toMessage(update) }
  const { progress, total, message, ...others } = update as Record<string, unknown>
  const isKnown = Object.keys(others).length === 0 && (message === undefined || typeof message === 'string')
  if (!isKnown || (progress !== undefined && !isFiniteNumber(progress))) return { progress: next, message: toMessage(update) }
  return {
    progress: progress ?? next,
    ...(isFiniteNumber(total) && { total }),
    ...(typeof message === 'string' && { message: toMessage(message) }),
  }
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function toMessage(update: unknown): string {
  const { value } = boundOutput(update, MAX_MESSAGE)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
