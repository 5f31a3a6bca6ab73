/** Converts a complete response to the deltas of a stream. */
import type { LMDelta, LMResponse } from './protocol.ts'

/**
 * Yields text and arguments in pieces of `pieceLength` UTF-16 code units. Default: a single piece. Collecting the deltas gives
 * the same response, without `raw`.
 */
export function* toDeltas(response: LMResponse, pieceLength = Infinity): Generator<LMDelta> {
  for (const text of pieces(response.reasoning ?? '', pieceLength)) yield { type: 'reasoning', text }
  for (const text of pieces(response.text, pieceLength)) yield { type: 'text', text }
  for (const text of pieces(response.refusal ?? '', pieceLength)) yield { type: 'refusal', text }
  for (const [index, { id, name, arguments: all, truncated, metadata, tags }] of response.toolCalls.entries()) {
    yield { type: 'call_start', index, id, name }
    for (const text of pieces(all, pieceLength)) yield { type: 'arguments', index, text }
    yield { type: 'call_end', index, truncated, metadata, tags }
  }
  for (const text of response.malformedCalls ?? []) yield { type: 'malformed_call', text }
  for (const call of response.providerCalls ?? []) yield { type: 'provider_call', call }
  if (response.metadata) yield { type: 'metadata', metadata: response.metadata }
  if (response.usage) yield { type: 'usage', usage: response.usage }
  if (response.error) yield { type: 'error', error: response.error }
  const { finishReason, rawFinishReason, outputLimit } = response
  if (finishReason) yield { type: 'finish', finishReason, rawFinishReason, ...(outputLimit && { outputLimit }) }
}

function* pieces(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, Math.min(text.length, start + length))
}
