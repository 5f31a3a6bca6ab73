/** The adapter for models with function calling: tools go beside the messages, calls come back beside the text. */
import type { ToolSpec } from '@x/tool-core'
import type { Adapter, Conversation, RequestOptions, Revealed, Turn } from './adapter.ts'
import { formatInputs, formatInstructions, outputForm, toolSpecsIn } from './fields.ts'
import { type Forgotten, withForgotten, withoutForgotten } from './forgotten.ts'
import { toMessages } from './messages.ts'
import { toOutputs } from './outputs.ts'
import type { LMRequest, Message } from './protocol.ts'

export const nativeAdapter: Adapter = {
  name: 'native',
  toolCalling: 'native',
  format: (signature, inputs, options) => nativeAdapter.begin(signature, inputs).request(options),
  begin: (signature, inputs, earlier = [], revealed: readonly Revealed[] = []) => {
    const messages: readonly Message[] = [...earlier, { role: 'user', content: formatInputs(signature, inputs) }]
    const conversation = new NativeConversation(formatInstructions(signature), messages, toolSpecsIn(signature, inputs))
    for (const { tools } of revealed) conversation.reveal(tools)
    return conversation
  },
  parse: (signature, response) => toOutputs(signature, response),
  describeOutputs: outputForm,
}

class NativeConversation implements Conversation {
  readonly messages: Message[]
  readonly #system: readonly Message[]
  #sent: Message[]
  #forgotten: readonly Forgotten[] = []
  #tools: readonly ToolSpec[]

  constructor(instructions: string, messages: readonly Message[], tools: readonly ToolSpec[]) {
    this.messages = [...messages]
    this.#system = instructions === '' ? [] : [{ role: 'system', content: instructions }]
    this.#sent = [...this.#system, ...messages]
    this.#tools = tools
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools
  }

  append(turn: Turn): void {
    const added = toMessages(turn)
    this.messages.push(...added)
    this.#sent.push(...added)
  }

  /** After those that are there, so that what a provider has cached stays valid. */
  reveal(tools: readonly ToolSpec[]): void {
    this.#tools = Object.freeze([...this.#tools, ...tools])
  }

  forget(range: Forgotten): void {
    this.#forgotten = withForgotten(this.#forgotten, range)
    this.#sent = [...this.#system, ...withoutForgotten(this.messages, this.#forgotten)]
  }

  request({ toolChoice, parallelToolCalls, strictTools, ...options }: RequestOptions = {}): LMRequest {
    const request = { messages: this.#sent, ...options }
    return this.#tools.length === 0 ? request : { ...request, tools: this.#tools, toolChoice, parallelToolCalls, strictTools }
  }
}
