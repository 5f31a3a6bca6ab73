/** Converts token usage to and from the AI SDK's. */
import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { Usage } from '@x/adapters'
import { fieldAt, isObject, numberAt, optional } from './read.ts'

/** Reads token counts. They are plain numbers in version 2 and objects in later versions. */
export function readUsage(usage: unknown): Usage | undefined {
  const input = fieldAt(usage, 'inputTokens')
  const output = fieldAt(usage, 'outputTokens')
  const counts = optional({
    inputTokens: isObject(input) ? numberAt(input, 'total') : numberAt(usage, 'inputTokens'),
    outputTokens: isObject(output) ? numberAt(output, 'total') : numberAt(usage, 'outputTokens'),
    cacheReadTokens: isObject(input) ? numberAt(input, 'cacheRead') : numberAt(usage, 'cachedInputTokens'),
    cacheWriteTokens: numberAt(input, 'cacheWrite'),
    reasoningTokens: isObject(output) ? numberAt(output, 'reasoning') : numberAt(usage, 'reasoningTokens'),
  })
  return Object.keys(counts).length === 0 ? undefined : counts
}

export function toUsage(usage: Usage = {}): LanguageModelV3Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage
  return {
    inputTokens: {
      total: inputTokens,
      noCache: without(inputTokens, (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0)),
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: { total: outputTokens, text: without(outputTokens, reasoningTokens ?? 0), reasoning: reasoningTokens },
  }
}

/** Subtracts a part from a total. Returns at least 0, because some providers report a part that exceeds its total. */
function without(total: number | undefined, part: number): number | undefined {
  return total === undefined ? undefined : Math.max(0, total - part)
}
