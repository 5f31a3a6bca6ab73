/** Checks the fields that every response must have, regardless of what the provider sent. */
import type { FinishReason, LMResponse, Usage } from '../protocol/protocol.ts'
import { ensure } from './contract-error.ts'
import { notJson } from './json-walk.ts'

const FINISHES: readonly unknown[] = ['stop', 'tool-calls', 'length', 'content-filter', 'error', 'other', undefined] satisfies (
  | FinishReason
  | undefined
)[]

export function ensureShape(response: LMResponse, what: string): void {
  const { text, toolCalls, reasoning, refusal, finishReason, rawFinishReason, error, providerCalls = [] } = response
  ensure(typeof text === 'string', `${what}: \`text\` is not a string`, { found: text })
  for (const [key, value] of Object.entries({ reasoning, refusal, rawFinishReason }))
    ensure(value === undefined || typeof value === 'string', `${what}: \`${key}\` is not a string`, { found: value })
  ensure(FINISHES.includes(finishReason), `${what}: \`finishReason\` is not a finish reason`, { found: finishReason })
  ensure(error === undefined || typeof error.message === 'string', `${what}: the error has no message`, { found: error })
  ensure(error?.code === undefined || typeof error.code === 'string', `${what}: the code of the error is not a string`, {
    found: error,
  })
  for (const call of toolCalls) {
    const isCall = [call.id, call.name, call.arguments].every((part) => typeof part === 'string') && call.id !== ''
    ensure(isCall, `${what}: the id, name or arguments of a call are not strings, or the id is empty`, { found: call })
  }
  ensure(new Set(toolCalls.map(({ id }) => id)).size === toolCalls.length, `${what}: two calls have the same id`, {
    found: toolCalls,
  })
  for (const call of providerCalls)
    ensure(
      typeof call.type === 'string' && ['provider', 'client'].includes(call.by),
      `${what}: a provider call has no \`type\`, or an invalid \`by\``,
      {
        found: call,
      },
    )
  ensureUsage(response.usage, what)
  ensure(!('polluted' in {}), `${what}: Object.prototype was changed`)
}

const COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens']

export function ensureUsage(usage: Usage | undefined, what: string): void {
  for (const [key, value] of Object.entries(usage ?? {})) {
    const isCount = COUNTS.includes(key) && (value === undefined || Number.isFinite(value))
    ensure(isCount, `${what}: \`usage.${key}\` is not a count`, { found: value })
  }
}

/** Throws unless metadata is plain data, stored under the name of its wire format. */
export function ensureMetadata({ metadata, toolCalls }: LMResponse, wireName: string, what: string): void {
  for (const found of [metadata, ...toolCalls.map((call) => call.metadata)]) {
    if (found === undefined) continue
    const keys = Object.keys(found)
    ensure(
      keys.every((key) => key === wireName),
      `${what}: there is metadata under a name other than \`${wireName}\``,
      { found: keys },
    )
    ensure(notJson(found) === undefined, `${what}: metadata is not plain JSON`, { found })
  }
}
