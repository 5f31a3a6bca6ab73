/** The adapter for models without function calling: it writes tools into the prompt, and parses calls from the text. */
import type { ContentPart, ToolSpec } from '@x/tool-core'
import type { Dialect, ParserOptions } from '../dialects/define/dialect.ts'
import { type Forgotten, withForgotten, withoutForgotten } from '../protocol/forgotten.ts'
import { toMessages, toObservation } from '../protocol/messages.ts'
import type { AssistantMessage, LMRequest, LMResponse, Message, RawToolCall, UserMessage } from '../protocol/protocol.ts'
import { toSoundResponse } from '../protocol/sound-response.ts'
import { formatInstructions, formatOutputs, joinParts, outputForm } from '../signature/fields.ts'
import { formatInputs, toUserMessage } from '../signature/write-inputs.ts'
import type { Adapter, Conversation, RequestOptions, Revealed, Turn } from './adapter.ts'
import { exampleMessages } from './example-messages.ts'
import { toOutputs } from './outputs.ts'
import { toolSpecsIn } from './tool-specs.ts'

/** Options for the dialect's parser, except the tools, which come from the conversation. */
export type TextAdapterOptions = Omit<ParserOptions, 'tools'>

/**
 * Creates an adapter that uses a dialect. Parses calls only from the model's latest reply. Throws a TypeError if the argument isn't a
 * dialect, e.g. if it is a dialect's name.
 */
export function textAdapter(dialect: Dialect, reading: TextAdapterOptions = {}): Adapter {
  if (typeof dialect?.formatTools !== 'function') throw new TypeError(NO_DIALECT)
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
  /** Number of tools described in the system message. */
  readonly #declared: number
  readonly #examples: readonly Message[]
  #tools: readonly ToolSpec[]

  constructor(
    dialect: Dialect,
    instructions: string,
    examples: readonly Message[],
    messages: readonly Message[],
    tools: readonly ToolSpec[],
    revealed: readonly Revealed[],
  ) {
    const system = joinParts(instructions, tools.length > 0 ? dialect.formatTools(tools) : '')
    this.#dialect = dialect
    this.messages = [...messages]
    this.#sent = system === '' ? [] : [{ role: 'system', content: system }]
    this.#tools = tools
    this.#declared = tools.length
    this.#examples = examples
    this.#send(examples)
    let start = 0
    for (const { after, tools: more } of revealed) {
      this.#send(messages.slice(start, after))
      this.reveal(more)
      start = after
    }
    this.#send(messages.slice(start))
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools
  }

  append(turn: Turn): void {
    const added = toMessages(turn)
    this.messages.push(...added)
    this.#send(added)
  }

  /** Announces the tools in the last message, so that the prompt before it stays the same. */
  reveal(tools: readonly ToolSpec[]): void {
    // A model that already has tools knows how to call them.
    const words = this.#tools.length > 0 ? this.#dialect.formatMoreTools(tools) : this.#dialect.formatTools(tools)
    this.#tools = Object.freeze([...this.#tools, ...tools])
    this.#addPrompt(words)
  }

  #addPrompt(words: string): void {
    const last = this.#sent.at(-1)
    if (last?.role !== 'user') this.#sent.push({ role: 'user', content: words })
    else this.#sent[this.#sent.length - 1] = withWords(last, words)
  }

  /** Announces revealed tools again at the end, because the messages that announced them may no longer be sent. */
  forget(range: Forgotten): void {
    this.#forgotten = withForgotten(this.#forgotten, range)
    this.#sent = this.#sent.filter(({ role }) => role === 'system')
    this.#send(this.#examples)
    this.#send(withoutForgotten(this.messages, this.#forgotten))
    const revealed = this.#tools.slice(this.#declared)
    if (revealed.length > 0)
      this.#addPrompt(this.#declared > 0 ? this.#dialect.formatMoreTools(revealed) : this.#dialect.formatTools(revealed))
  }

  /** Omits options that apply only to tools, because a request in text mode contains no tools. */
  request({ toolChoice, parallelToolCalls, strictTools, ...options }: RequestOptions = {}): LMRequest {
    return { messages: this.#sent, ...options }
  }

  /** Writes calls into the text of their assistant message, and the results of one turn into one user message. */
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

/** Keeps the calls if the server parsed them. Otherwise, parses them from the text. */
function readCalls(dialect: Dialect, response: LMResponse, reading: ParserOptions): LMResponse {
  if (response.toolCalls.length > 0) return response
  const { callInReasoning = dialect.policy.callInReasoning } = reading
  // If the reply was truncated inside its reasoning, it isn't known whether more text would have followed a call there.
  const isOpen = response.finishReason === 'length' && callInReasoning === 'unless-closed'
  const { reasoning, ...read } = dialect.parse(response.text, isOpen ? { ...reading, callInReasoning: 'ignore' } : reading)
  const all = [response.reasoning, reasoning].filter(Boolean).join('\n')
  return { ...response, ...read, ...(all !== '' && { reasoning: all }) }
}

/**
 * Writes calls in the dialect. If they can't be written together, writes each one alone. A call that can't be written alone either
 * becomes plain JSON.
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

/** Escapes control tokens of the chat template in the user's text, including text parts. */
function toHarmless({ content, parts, ...message }: UserMessage, dialect: Dialect): UserMessage {
  return { ...message, content: dialect.formatUserText(content), ...(parts && { parts: toHarmlessParts(parts, dialect) }) }
}

/**
 * Escapes control tokens in text parts. Servers join the parts, so a token may be split across several of them. Such a token is escaped
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
