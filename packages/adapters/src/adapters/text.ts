/** The adapter for models without function calling. It writes tools into the prompt, and parses calls from the text. */
import type { ContentPart, ToolSpec } from '@x/tool-core'
import type { Dialect, ParserOptions } from '../dialects/define/dialect.ts'
import { afterForgotten, type Forgotten, withForgotten, withoutForgotten } from '../protocol/forgotten.ts'
import { toMessages, toObservation } from '../protocol/messages.ts'
import type { AssistantMessage, LMRequest, LMResponse, Message, RawToolCall, UserMessage } from '../protocol/protocol.ts'
import { toSoundResponse } from '../protocol/sound-response.ts'
import { formatInstructions, formatOutputs, joinParts, outputForm } from '../signature/fields.ts'
import { formatInputs, toUserMessage } from '../signature/write-inputs.ts'
import type { EncodeOptions } from '../wire/wire-format.ts'
import type { Adapter, Conversation, RequestOptions, Revealed, Turn } from './adapter.ts'
import { exampleMessages } from './example-messages.ts'
import { toOutputs } from './outputs.ts'
import { toolSpecsIn } from './tool-specs.ts'

/** Options for the dialect's parser and for losses. The tools come from the conversation. */
export interface TextAdapterOptions extends Omit<ParserOptions, 'tools'> {
  /**
   * Called for each image and file in a tool result. The model reads only a description of it, such as `[image/png]`. Called
   * once, when the result is added to the conversation. `path` is its position in the conversation's messages:
   * `/messages/2/parts/0`.
   */
  readonly onLoss?: EncodeOptions['onLoss']
}

/**
 * Creates an adapter that uses a dialect. Only the latest reply is searched for calls. Throws a TypeError if the argument isn't a
 * dialect (for example, if it is the name of one), or if `onLoss` isn't a function.
 */
export function textAdapter(dialect: Dialect, { onLoss, ...reading }: TextAdapterOptions = {}): Adapter {
  if (typeof dialect?.formatTools !== 'function') throw new TypeError(NO_DIALECT)
  if (onLoss !== undefined && typeof onLoss !== 'function') throw new TypeError('textAdapter: onLoss must be a function.')
  const adapter: Adapter = {
    name: `text:${dialect.name}`,
    toolCalling: 'text',
    format: (signature, inputs, options) => adapter.begin(signature, inputs).request(options),
    begin: (signature, inputs, earlier = [], revealed = []) =>
      new TextConversation(
        dialect,
        formatInstructions(signature),
        exampleMessages(signature, { inputs: formatInputs, outputs: formatOutputs }),
        [...earlier, toUserMessage(formatInputs(signature, inputs))],
        toolSpecsIn(signature, inputs),
        revealed,
        onLoss,
      ),
    parse: (signature, response, { tools } = {}) =>
      toOutputs(signature, readCalls(dialect, toSoundResponse(response), { ...reading, tools })),
    escapeText: (text) => dialect.formatUserText(text),
    describeOutputs: outputForm,
  }
  return adapter
}

const NO_DIALECT =
  "textAdapter: pass a dialect, not its name. Write import { hermes } from '@x/adapters/dialects', then textAdapter(hermes)."

class TextConversation implements Conversation {
  readonly messages: Message[]
  #sent: Message[]
  #forgotten: readonly Forgotten[] = []
  readonly #dialect: Dialect
  readonly #hasDeclared: boolean
  readonly #examples: readonly Message[]
  readonly #revealed: Revealed[] = []
  readonly #onLoss: TextAdapterOptions['onLoss']
  #tools: readonly ToolSpec[]

  constructor(
    dialect: Dialect,
    instructions: string,
    examples: readonly Message[],
    messages: readonly Message[],
    tools: readonly ToolSpec[],
    revealed: readonly Revealed[],
    onLoss: TextAdapterOptions['onLoss'],
  ) {
    const system = joinParts(instructions, tools.length > 0 ? dialect.formatTools(tools) : '')
    this.#dialect = dialect
    this.messages = [...messages]
    this.#onLoss = onLoss
    this.#reportLosses(0)
    this.#sent = system === '' ? [] : [{ role: 'system', content: system }]
    this.#tools = tools
    this.#hasDeclared = tools.length > 0
    this.#examples = examples
    for (const one of revealed) this.#keep(one)
    this.#sendAll()
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools
  }

  append(turn: Turn): void {
    const added = toMessages(turn)
    const start = this.messages.push(...added) - added.length
    this.#send(added)
    this.#reportLosses(start)
  }

  #reportLosses(start: number): void {
    if (this.#onLoss === undefined) return
    for (let index = start; index < this.messages.length; index++) {
      const message = this.messages[index] as Message
      if (message.role !== 'tool' || message.parts === undefined) continue
      for (const [place, { type }] of message.parts.entries())
        if (type !== 'text') this.#onLoss({ path: `/messages/${index}/parts/${place}`, keyword: type, action: 'dropped' })
    }
  }

  /** Announces the tools in the last message, so that the rest of the prompt doesn't change. */
  reveal(tools: readonly ToolSpec[]): void {
    this.#announce(tools, this.#keep({ after: this.messages.length, tools }))
  }

  /** Stores the announcement, and returns the number of announcements before it. */
  #keep(revealed: Revealed): number {
    this.#tools = Object.freeze([...this.#tools, ...revealed.tools])
    return this.#revealed.push(revealed) - 1
  }

  #announce(tools: readonly ToolSpec[], earlier: number): void {
    // A model that already has tools knows how to write calls.
    const isKnown = this.#hasDeclared || earlier > 0
    const words = isKnown ? this.#dialect.formatMoreTools(tools) : this.#dialect.formatTools(tools)
    const last = this.#sent.at(-1)
    if (last?.role !== 'user') this.#sent.push({ role: 'user', content: words })
    else this.#sent[this.#sent.length - 1] = withWords(last, words)
  }

  forget(range: Forgotten): void {
    this.#forgotten = withForgotten(this.#forgotten, range)
    this.#sent = this.#sent.filter(({ role }) => role === 'system')
    this.#sendAll()
  }

  /**
   * Rebuilds the messages to send. Tools that were announced in a forgotten range are announced again, after the text that
   * replaces the range.
   */
  #sendAll(): void {
    this.#send(this.#examples)
    let start = 0
    for (let index = 0; index < this.#revealed.length; index++) {
      const { after, tools } = this.#revealed[index] as Revealed
      const end = Math.max(start, afterForgotten(this.#forgotten, after))
      this.#send(withoutForgotten(this.messages, this.#forgotten, start, end))
      this.#announce(tools, index)
      start = end
    }
    this.#send(withoutForgotten(this.messages, this.#forgotten, start))
  }

  /** Omits options that apply only to tools, because a text-mode request has no tools. */
  request({ toolChoice, search, parallelToolCalls, strictTools, ...options }: RequestOptions = {}): LMRequest {
    return { messages: this.#sent, ...options }
  }

  /** Writes calls into the text of their assistant message, and all results of a turn into one user message. */
  #send(messages: readonly Message[]): void {
    let results: string[] = []
    const sendResults = () => {
      if (results.length > 0) this.#sent.push({ role: 'user', content: results.join('\n') })
      results = []
    }
    for (const message of messages) {
      if (message.role === 'tool') {
        results.push(this.#dialect.formatResult(toObservation(message)))
        continue
      }
      sendResults()
      if (message.role === 'assistant') this.#sent.push({ role: 'assistant', content: this.#write(message) })
      else this.#sent.push(message.role === 'user' ? toHarmless(message, this.#dialect) : message)
    }
    sendResults()
  }

  #write({ content, toolCalls = [] }: AssistantMessage): string {
    return [content, writeCalls(this.#dialect, toolCalls)].filter((part) => part !== '').join('\n')
  }
}

/** Returns the calls that the server has parsed, if any. Otherwise parses the calls from the text. */
function readCalls(dialect: Dialect, response: LMResponse, reading: ParserOptions): LMResponse {
  if (response.toolCalls.length > 0) return response
  const { callInReasoning = dialect.policy.callInReasoning } = reading
  // In a reply that was truncated inside its reasoning, more text might have followed the call.
  const isOpen = response.finishReason === 'length' && callInReasoning === 'unless-closed'
  const { reasoning, ...read } = dialect.parse(response.text, isOpen ? { ...reading, callInReasoning: 'ignore' } : reading)
  const all = [response.reasoning, reasoning].filter(Boolean).join('\n')
  return { ...response, ...read, ...(all !== '' && { reasoning: all }) }
}

/**
 * Writes calls in the dialect. If that isn't possible for all calls together, writes each call on its own. A call that can't be
 * written on its own either is written as plain JSON.
 */
function writeCalls(dialect: Dialect, calls: readonly RawToolCall[]): string {
  const together = dialect.formatCalls(calls)
  if (together.ok) return together.text
  return calls.map((call) => writeCall(dialect, call)).join('\n')
}

function writeCall(dialect: Dialect, call: RawToolCall): string {
  const formatted = dialect.formatCall(call)
  return formatted.ok ? formatted.text : JSON.stringify({ name: call.name, arguments: call.arguments })
}

/** Escapes the chat template's control tokens in the user's text, including text parts. */
function toHarmless({ content, parts, ...message }: UserMessage, dialect: Dialect): UserMessage {
  return { ...message, content: dialect.formatUserText(content), ...(parts && { parts: toHarmlessParts(parts, dialect) }) }
}

/**
 * Escapes control tokens in text parts. Servers join the parts, so a token may be split across several parts. It is then escaped
 * in the part where it begins.
 */
function toHarmlessParts(parts: readonly ContentPart[], dialect: Dialect): readonly ContentPart[] {
  const longest = Math.max(0, ...dialect.controlTokens.map(({ length }) => length))
  let following = ''
  const toPart = (part: ContentPart): ContentPart => {
    if (part.type !== 'text') return part
    const joined = part.text + following
    const escaped = dialect.formatUserText(joined)
    const text = escaped.slice(0, escaped.length - dialect.formatUserText(following).length)
    following = joined.slice(0, longest)
    return { ...part, text }
  }
  return parts.toReversed().map(toPart).toReversed()
}

function withWords({ role, content, parts }: UserMessage, words: string): UserMessage {
  return { role, content: `${content}\n\n${words}`, ...(parts && { parts: [...parts, { type: 'text', text: words }] }) }
}
