/** Reads calls, the finish reason and usage of Ollama. Each line of a stream has the same form as a complete reply. */
import type { FinishReason, Usage } from '../../protocol/protocol.ts'
import { argumentsText } from '../calls.ts'
import { arrayAt, fieldAt, numberAt, objectAt, optional, stringAt } from '../read-json.ts'

/** A call as the server sends it, usually without an id. */
export interface WireCall {
  readonly rawId: string | undefined
  readonly name: string
  readonly arguments: string
}

/** Reads the calls of a message. Every call is complete. Ignores the index, because two calls may have the same one. */
export function readCalls(message: unknown): readonly WireCall[] {
  const calls = arrayAt(message, 'tool_calls').map((entry) => {
    const body = objectAt(entry, 'function')
    const name = stringAt(body, 'name') ?? ''
    return { rawId: stringAt(entry, 'id'), name, arguments: argumentsText(fieldAt(body, 'arguments')) }
  })
  return calls.filter((call) => call.name !== '' || call.arguments !== '')
}

/** Normalizes the finish reason. Older servers don't send one, so a reply with `done` counts as complete. */
export function toFinish(reply: unknown, hasCalls: boolean): FinishReason | undefined {
  switch (stringAt(reply, 'done_reason') ?? '') {
    case '':
      if (fieldAt(reply, 'done') !== true) return undefined
      return hasCalls ? 'tool-calls' : 'stop'
    case 'stop':
      return hasCalls ? 'tool-calls' : 'stop'
    case 'tool_calls':
      return 'tool-calls'
    case 'length':
      return 'length'
    case 'error':
      return 'error'
    default:
      // `load` and `unload` mean that the model was only loaded or unloaded.
      return 'other'
  }
}

/** Reads the usage. The prompt count is missing if the whole prompt was cached. */
export function readUsage(reply: unknown): Usage | undefined {
  const usage = optional({ inputTokens: numberAt(reply, 'prompt_eval_count'), outputTokens: numberAt(reply, 'eval_count') })
  return Object.keys(usage).length > 0 ? usage : undefined
}
