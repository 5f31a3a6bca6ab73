/** The adapter for models without function calling: tools are written into the prompt, calls are read out of the text. */
import type { ToolSpec } from '@x/tool-core'
import type { Adapter, Conversation, RequestOptions, Turn } from './adapter.ts'
import { type Dialect, parseWith } from './dialects/dialect.ts'
import { formatInputs, formatInstructions, outputForm, toolSpecsIn } from './fields.ts'
import { toMessages } from './native.ts'
import { toOutputs } from './outputs.ts'
import type { LMRequest, LMResponse, Message } from './protocol.ts'

/** Speaks a dialect. Only the model's own new text is ever parsed for calls. */
export function textAdapter(dialect: Dialect): Adapter {
  const adapter: Adapter = {
    name: `text:${dialect.name}`,
    toolCalling: 'text',
    format: (signature, inputs, options) => adapter.begin(signature, inputs).request(options),
    begin: (signature, inputs) =>
      new TextConversation(
        dialect,
        formatInstructions(signature),
        formatInputs(signature, inputs),
        toolSpecsIn(signature, inputs),
      ),
    parse: (signature, response) => toOutputs(signature, readCalls(dialect, response)),
    describeOutputs: outputForm,
  }
  return adapter
}

class TextConversation implements Conversation {
  readonly messages: Message[]
  readonly #sent: Message[]
  readonly #dialect: Dialect

  constructor(dialect: Dialect, instructions: string, user: string, tools: readonly ToolSpec[]) {
    const first: Message = { role: 'user', content: user }
    const system = [instructions, tools.length > 0 ? dialect.formatTools(tools) : ''].filter((part) => part !== '').join('\n\n')
    this.messages = [first]
    this.#sent = system === '' ? [first] : [{ role: 'system', content: system }, first]
    this.#dialect = dialect
  }

  append(turn: Turn): void {
    if ('user' in turn) {
      this.messages.push(...toMessages(turn))
      this.#sent.push({ role: 'user', content: turn.user })
      return
    }
    const { response, observations = [] } = turn
    this.messages.push(...toMessages(turn))
    this.#sent.push({ role: 'assistant', content: this.#write(response) })
    if (observations.length > 0) {
      this.#sent.push({
        role: 'user',
        content: observations.map((observation) => this.#dialect.formatResult(observation)).join('\n'),
      })
    }
  }

  /** A request in text mode never names tools: toolChoice and parallelToolCalls have no meaning there. */
  request({ settings, providerOptions }: RequestOptions = {}): LMRequest {
    return { messages: this.#sent, ...(settings && { settings }), ...(providerOptions && { providerOptions }) }
  }

  #write({ text, toolCalls }: LMResponse): string {
    return [text, ...toolCalls.map((call) => this.#dialect.formatCall(call))].filter((part) => part !== '').join('\n')
  }
}

/** Calls that a server parsed itself stay; otherwise the text is read. */
function readCalls(dialect: Dialect, response: LMResponse): LMResponse {
  if (response.toolCalls.length > 0) return response
  return { ...response, ...parseWith(dialect, response.text) }
}
