/** The adapter for models with function calling. Tools and calls go through the API and aren't part of the text. */
import type { ToolSpec } from '@x/tool-core'
import { type Forgotten, withForgotten, withoutForgotten } from '../protocol/forgotten.ts'
import { toFrozen, toMessages } from '../protocol/messages.ts'
import type { LMRequest, Message, ResponseFormat } from '../protocol/protocol.ts'
import { formatInstructions, formatOutputs, outputForm } from '../signature/fields.ts'
import { formatInputs, toUserMessage } from '../signature/write-inputs.ts'
import type { Adapter, Conversation, RequestOptions, Revealed, Turn } from './adapter.ts'
import { exampleMessages } from './example-messages.ts'
import { readMarkedFields } from './marked-fields.ts'
import { toOutputs } from './outputs.ts'
import { readSections } from './read-sections.ts'
import { toolSpecsIn } from './tool-specs.ts'
import type { Wording } from './wording.ts'

/**
 * Uses the API's function calling. If there is a single text output, the whole text is its value. Several outputs are written
 * under markers.
 */
export const nativeAdapter: Adapter = toNativeAdapter({
  name: 'native',
  instructions: formatInstructions,
  inputs: formatInputs,
  outputs: formatOutputs,
  describeOutputs: outputForm,
  read: readSections,
  readFields: readMarkedFields,
})

/** Creates an adapter with function calling from its wording. */
export function toNativeAdapter(wording: Wording): Adapter {
  const adapter: Adapter = {
    name: wording.name,
    toolCalling: 'native',
    format: (signature, inputs, options) => adapter.begin(signature, inputs).request(options),
    begin: (signature, inputs, earlier = [], revealed: readonly Revealed[] = []) => {
      const conversation = new NativeConversation(
        wording.instructions(signature),
        exampleMessages(signature, wording),
        [...earlier, toUserMessage(wording.inputs(signature, inputs))],
        toolSpecsIn(signature, inputs),
        wording.responseFormat?.(signature),
      )
      for (const { tools } of revealed) conversation.reveal(tools)
      return conversation
    },
    parse: (signature, response) => toOutputs(signature, response, wording.read),
    describeOutputs: wording.describeOutputs,
    ...(wording.readFields && { readFields: wording.readFields }),
  }
  return adapter
}

class NativeConversation implements Conversation {
  readonly messages: Message[]
  /** The messages before the conversation: the instructions and the examples. */
  readonly #head: readonly Message[]
  #sent: Message[]
  #forgotten: readonly Forgotten[] = []
  readonly #responseFormat: ResponseFormat | undefined
  #tools: readonly ToolSpec[]

  constructor(
    instructions: string,
    examples: readonly Message[],
    messages: readonly Message[],
    tools: readonly ToolSpec[],
    responseFormat: ResponseFormat | undefined,
  ) {
    this.messages = messages.map(toFrozen)
    const system: readonly Message[] = instructions === '' ? [] : [{ role: 'system', content: instructions }]
    this.#head = [...system, ...examples].map(toFrozen)
    this.#sent = [...this.#head, ...this.messages]
    this.#tools = tools
    this.#responseFormat = responseFormat
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools
  }

  append(turn: Turn): void {
    const added = toMessages(turn)
    this.messages.push(...added)
    this.#sent.push(...added)
  }

  /** Appends the tools to the list, so that the provider's prompt cache stays valid. */
  reveal(tools: readonly ToolSpec[]): void {
    this.#tools = Object.freeze([...this.#tools, ...tools])
  }

  forget(range: Forgotten): void {
    this.#forgotten = withForgotten(this.#forgotten, range)
    this.#sent = [...this.#head, ...withoutForgotten(this.messages, this.#forgotten)]
  }

  request(options: RequestOptions = {}): LMRequest {
    const responseFormat = options.responseFormat ?? this.#responseFormat
    const formatted = responseFormat === options.responseFormat ? options : { ...options, responseFormat }
    // Uses a spread, because a rest pattern is ten times slower. An agent builds a request in every step.
    if (this.#tools.length > 0) return { messages: this.#sent, ...formatted, tools: this.#tools }
    const { toolChoice, search, parallelToolCalls, strictTools, ...others } = formatted
    return { messages: this.#sent, ...others }
  }
}
