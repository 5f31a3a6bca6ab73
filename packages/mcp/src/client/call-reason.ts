/** Why a call of a server's tool failed. */
import { ToolError, type ToolErrorOptions } from '@x/tool-core'

/**
 * The `reason` of the `ToolError` that a server's tool throws. A model reads the message.
 *
 * - `tool_failed`: the tool reports that it failed. Fix: return the message to the model.
 * - `unknown_outcome`: the connection was lost during a call that may change something, so it wasn't repeated. Fix: check whether it took
 *   effect.
 * - `disconnected`: the server can't be reached or refused the call because of too many requests (HTTP 429), or the source was closed.
 *   Nothing was done. Fix: check the server and call again later, or open the source again.
 * - `connection_lost`: the connection was lost during a call that may be repeated, and all retries failed in the same way. Fix: check the
 *   server.
 * - `answer_too_large`: the answer exceeds `maxAnswerBytes`. The tool did run. Fix: raise the limit, or ask for less.
 * - `invalid_answer`: the answer violates the protocol. The tool may have run. Fix: report it to the server's author.
 * - `invalid_output_schema`: the tool's output schema is invalid, so the tool wasn't called. Fix: report it to the server's author.
 * - `call_refused`: the server refused the call. Fix: see the message.
 * - `not_authorized`: the server requires authorization. Fix: call `finishAuth`, or refresh the token, and call again.
 * - `not_approved`: the tool is pinned and has changed since. Nothing was done. Fix: review it, and call `approve`.
 * - `input_unavailable`: the server asked for input that this client doesn't offer, or asked too often, or `elicit` failed. Fix: see
 *   the message, and `cause` if `elicit` failed.
 */
export type McpCallReason =
  | 'tool_failed'
  | 'unknown_outcome'
  | 'disconnected'
  | 'connection_lost'
  | 'answer_too_large'
  | 'invalid_answer'
  | 'invalid_output_schema'
  | 'call_refused'
  | 'not_authorized'
  | 'not_approved'
  | 'input_unavailable'

export function failed(message: string, reason: McpCallReason, options: ToolErrorOptions = {}): ToolError {
  return new ToolError('execution_failed', message, { ...options, reason })
}
