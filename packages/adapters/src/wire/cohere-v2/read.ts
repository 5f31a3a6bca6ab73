/** Reads the finish reason and usage of Cohere, in complete replies and in streams. */
import type { FinishReason, Usage } from '../../protocol/protocol.ts'
import { numberAt, objectAt, optional } from '../read-json.ts'

/** Normalizes the finish reason. A complete reply with calls has the finish reason `tool-calls`. */
export function toFinish(reason: string | undefined, hasCalls: boolean): FinishReason | undefined {
  switch ((reason ?? '').toUpperCase()) {
    case '':
      return hasCalls ? 'tool-calls' : undefined
    case 'COMPLETE':
      return hasCalls ? 'tool-calls' : 'stop'
    case 'STOP_SEQUENCE':
      return 'stop'
    case 'TOOL_CALL':
      return 'tool-calls'
    case 'MAX_TOKENS':
    case 'ERROR_LIMIT':
      return 'length'
    case 'ERROR_TOXIC':
      return 'content-filter'
    case 'ERROR':
    case 'TIMEOUT':
      return 'error'
    default:
      return 'other'
  }
}

/**
 * Reads the number of tokens that the model processed. Ignores `billed_units`, which excludes the text that Cohere adds to the prompt.
 */
export function readUsage(holder: unknown): Usage | undefined {
  const usage = objectAt(holder, 'usage')
  const tokens = objectAt(usage, 'tokens')
  if (tokens === undefined) return undefined
  return optional({
    inputTokens: numberAt(tokens, 'input_tokens'),
    outputTokens: numberAt(tokens, 'output_tokens'),
    cacheReadTokens: numberAt(usage, 'cached_tokens'),
  })
}
