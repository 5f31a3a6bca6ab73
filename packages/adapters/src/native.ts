/** The adapter for models with function calling: tools go beside the messages, calls come back beside the text. */
import type { ToolSpec } from '@x/tool-core'
import type { Adapter, Conversation, Observation, RequestOptions, Turn } from './adapter.ts'
import { formatInputs, formatInstructions, outputForm, toolSpecsIn } from './fields.ts'
import { toOutputs } from './outputs.ts'
import type { AssistantMessage, LMRequest, LMResponse, Message, ToolMessage } from './protocol.ts'

export const nativeAdapter: Adapter = {
  name: 'native',
  toolCalling: 'native',
  format: (signature, inputs, options) => nativeAdapter.begin(signature, inputs).request(options),
  begin: (signature, inputs) =>
    new NativeConversation(formatInstructions(signature), formatInputs(signature, inputs), toolSpecsIn(signature, inputs)),
  parse: toOutputs,
  describeOutputs: outputForm,
}

class NativeConversation implements Conversation {
  readonly messages: Message[]
  readonly #sent: Message[]
  readonly #tools: readonly ToolSpec[]

  constructor(instructions: string, user: string, tools: readonly ToolSpec[]) {
    const first: Message = { role: 'user', content: user }
    this.messages = [first]
    this.#sent = instructions === '' ? [first] : [{ role: 'system', content: instructions }, first]
    this.#tools = tools
  }

  append(turn: Turn): void {
    const added = toMessages(turn)
    this.messages.push(...added)
    this.#sent.push(...added)
  }

  request({ toolChoice, parallelToolCalls, ...options }: RequestOptions = {}): LMRequest {
    const request = { messages: this.#sent, ...options }
    return this.#tools.length === 0 ? request : { ...request, tools: this.#tools, toolChoice, parallelToolCalls }
  }
}

/** A turn as messages, in the form that every adapter records. */
export function toMessages(turn: Turn): Message[] {
  if ('user' in turn) return [{ role: 'user', content: turn.user }]
  return [toAssistantMessage(turn.response), ...(turn.observations ?? []).map(toToolMessage)]
}

function toAssistantMessage({ text, toolCalls, reasoning, metadata }: LMResponse): AssistantMessage {
  return {
    role: 'assistant',
    content: text,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(metadata !== undefined && { metadata }),
  }
}

function toToolMessage({ callId, name, ok, text }: Observation): ToolMessage {
  return { role: 'tool', callId, name, content: text, ...(!ok && { isError: true }) }
}
