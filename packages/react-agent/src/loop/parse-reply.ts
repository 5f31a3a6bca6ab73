/** Parses a reply with the adapter, which may be a custom one. */
import type { Adapter, Conversation, LMResponse, OutputsOf, Parsed, Signature } from '@x/adapters'
import { AgentError, wordsOf } from '../errors.ts'
import { isRecord } from '../json.ts'

/** Throws `callback_failed` if the adapter throws or returns an invalid value. */
export function parseReply<S extends Signature>(
  adapter: Adapter,
  signature: S,
  response: LMResponse,
  { tools }: Pick<Conversation, 'tools'>,
): Parsed<OutputsOf<S>> {
  let parsed: Parsed<OutputsOf<S>>
  try {
    parsed = adapter.parse(signature, response, { tools })
  } catch (cause) {
    throw new AgentError('callback_failed', `parse of the adapter "${adapter.name}" failed: ${wordsOf(cause)}`, { cause })
  }
  if (isParsed(parsed)) return parsed
  throw new AgentError('callback_failed', `parse of the adapter "${adapter.name}" must return { outputs, errors, response }.`)
}

function isParsed(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.outputs) || !isRecord(value.response)) return false
  return Array.isArray(value.errors) && Array.isArray(value.response.toolCalls)
}
