/**
 * Converts messages, arguments and results to span attributes. Secrets are redacted, long content is shortened, and the JSON
 * follows OpenTelemetry's GenAI conventions.
 */
import type { Attributes } from '@opentelemetry/api'
import type { FinishReason, LMRequest, LMResponse, Message, RawToolCall } from '@x/adapters'
import { redactValue } from '@x/tool-core'
import { guarded } from '../guarded.ts'

/** Default maximum number of characters in one attribute. */
export const MAX_CONTENT_LENGTH = 8192

type Part = Readonly<Record<string, unknown>>

export class Content {
  readonly #redact: (text: string) => string
  readonly #maxLength: number
  /** The known schemas of tools' arguments, by the tool's name. */
  readonly #schemas = new Map<string, object>()

  constructor(redact: (text: string) => string, maxLength: number) {
    this.#redact = redact
    this.#maxLength = maxLength
  }

  /** Sets the schema of a tool's arguments. */
  know(name: string, schema: object): void {
    this.#schemas.set(name, schema)
  }

  /** Sets the schemas of a request's tools. Also for a request that isn't recorded, because its calls may be. */
  knowTools({ tools = [], search }: LMRequest): void {
    for (const { function: tool } of [...(search?.tools ?? []), ...tools]) this.know(tool.name, tool.parameters)
  }

  /**
   * Returns the messages as attributes. If they don't all fit, the oldest are left out, and another attribute contains their
   * number.
   */
  ofRequest({ messages }: LMRequest): Attributes {
    const instructions = messages.filter(({ role }) => role === 'system')
    const conversation = messages.filter(({ role }) => role !== 'system')
    const newest = this.#newest(conversation)
    const omitted = conversation.length - newest.length
    return {
      ...(instructions.length > 0 && {
        'gen_ai.system_instructions': JSON.stringify(this.#newest(instructions).flatMap(({ parts }) => parts)),
      }),
      'gen_ai.input.messages': JSON.stringify(newest),
      ...(omitted > 0 && { 'x.content.omitted_messages': omitted }),
    }
  }

  ofResponse({ text, reasoning, refusal, toolCalls, finishReason }: LMResponse): Attributes {
    const message: Message = { role: 'assistant', content: text || (refusal ?? ''), reasoning, toolCalls }
    const { parts } = this.#messageOf(message, new Room(this.#maxLength))
    const reason = finishReason === undefined ? {} : { finish_reason: toFinishReason(finishReason) }
    return { 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, ...reason }]) }
  }

  /** Returns the arguments of a call to the tool with this name. `args` must be plain data. */
  ofArguments(name: string, args: unknown): Attributes {
    const text = guarded('writing content as JSON', () => JSON.stringify(args)) ?? ''
    return { 'gen_ai.tool.call.arguments': this.#text(this.#arguments(name, text), new Room(this.#maxLength)) }
  }

  ofResult(text: string): Attributes {
    return { 'gen_ai.tool.call.result': this.#text(text, new Room(this.#maxLength)) }
  }

  #newest(messages: readonly Message[]): readonly { readonly role: string; readonly parts: readonly Part[] }[] {
    const room = new Room(this.#maxLength)
    const newest = []
    for (let index = messages.length - 1; index >= 0 && !room.isFull; index--) {
      newest.push(this.#messageOf(messages[index] as Message, room))
    }
    return newest.reverse()
  }

  #messageOf(message: Message, room: Room): { readonly role: string; readonly parts: readonly Part[] } {
    const { role } = message
    room.take(role.length)
    if (role === 'tool') {
      const result = this.#text(message.content, room)
      return { role, parts: [{ type: 'tool_call_response', id: this.#text(message.callId, room), response: result }] }
    }
    const parts: Part[] = []
    const add = (type: 'text' | 'reasoning', text: string) => text !== '' && parts.push({ type, content: this.#text(text, room) })
    if (role !== 'assistant') add('text', message.content)
    else {
      add('reasoning', message.reasoning ?? '')
      add('text', message.content)
      parts.push(...this.#calls(message.toolCalls ?? [], room))
    }
    return { role, parts }
  }

  #calls(calls: readonly RawToolCall[], room: Room): readonly Part[] {
    const parts: Part[] = []
    for (const { id, name, arguments: text } of calls) {
      if (room.isFull) break
      const [ownId, ownName] = [this.#text(id, room), this.#text(name, room)]
      parts.push({ type: 'tool_call', id: ownId, name: ownName, arguments: this.#text(this.#arguments(name, text), room) })
    }
    return parts
  }

  /** Returns arguments without the values that the tool's schema marks as `writeOnly`, and without those whose key looks secret. */
  #arguments(name: string, text: string): string {
    const schema = this.#schemas.get(name) ?? {}
    return (
      guarded('redacting arguments', () => {
        const args = parsed(text)
        if (args !== undefined) return JSON.stringify(redactValue(args, schema))
        return JSON.stringify(schema).includes('"writeOnly":true') ? '[omitted: not JSON]' : text
      }) ?? OMITTED
    )
  }

  /** Redacts the text before truncating it, so that no part of a secret remains. */
  #text(text: string, room: Room): string {
    const read = text.slice(0, room.left + MARGIN)
    const redacted = guarded('redacting content', () => this.#redact(read))
    if (typeof redacted !== 'string') return OMITTED
    const whole = read.length === text.length ? redacted.length : Math.max(0, redacted.length - MARGIN)
    const shown = redacted.slice(0, Math.min(room.left, whole)).toWellFormed()
    room.take(text === '' ? 0 : Math.max(1, shown.length))
    return read.length < text.length || shown.length < redacted.length ? `${shown}…` : shown
  }
}

const OMITTED = '[omitted: redaction failed]'

/** Returns undefined for text that isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Number of characters to read beyond the limit. Without them, a secret that starts just before the limit wouldn't be recognized.
 */
const MARGIN = 1024

/** Tracks how many characters are left in an attribute. */
class Room {
  left: number

  constructor(left: number) {
    this.left = left
  }

  get isFull(): boolean {
    return this.left === 0
  }

  take(count: number): void {
    this.left = Math.max(0, this.left - count)
  }
}

/** Converts a finish reason to the spelling of the conventions. Any other text, for example from your own model, becomes `other`. */
export function toFinishReason(finishReason: FinishReason): string {
  return Object.hasOwn(FINISH_REASONS, finishReason) ? FINISH_REASONS[finishReason] : 'other'
}

const FINISH_REASONS: Readonly<Record<FinishReason, string>> = {
  ...{ stop: 'stop', length: 'length', error: 'error', other: 'other' },
  ...{ 'tool-calls': 'tool_call', 'content-filter': 'content_filter' },
}
