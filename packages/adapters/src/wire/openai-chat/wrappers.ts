/**
 * Unwraps calls. OpenAI models sometimes put their calls into one call to an undeclared tool, `multi_tool_use.parallel` or `parallel`. A
 * wrapper that contains anything but calls to the request's tools is left unchanged.
 */
import type { LMDelta, RawToolCall } from '../../protocol/protocol.ts'
import type { CallReplacement } from '../define-wire.ts'
import { arrayAt, isObject, objectAt, parseJson, stringAt, toJson } from '../read-json.ts'
import type { RequestTools } from '../request-tools.ts'
import { restoreCall } from '../restore-calls.ts'
import type { StreamDecoder } from '../wire-format.ts'

export const withoutWrappers: CallReplacement = {
  inResponse(response, tools) {
    if (!response.toolCalls.some((call) => isWrapper(call.name, tools))) return response
    const unique = uniqueIds()
    const toolCalls = response.toolCalls.flatMap((call) => unwrap(call, tools) ?? [call])
    return { ...response, toolCalls: toolCalls.map((call) => ({ ...call, id: unique(call.id) })) }
  },
  inStream: (decoder, tools) => new UnwrappingDecoder(decoder, tools),
}

function isWrapper(name: string, { find }: RequestTools): boolean {
  return WRAPPERS.has(name) && find(name) === undefined
}

const WRAPPERS = new Set(['parallel', 'multi_tool_use.parallel', 'multi_tool_use_parallel'])
const PREFIX = 'functions.'

function unwrap(call: RawToolCall, tools: RequestTools): readonly RawToolCall[] | undefined {
  if (call.truncated || !isWrapper(call.name, tools)) return undefined
  const uses = arrayAt(parseJson(call.arguments), 'tool_uses')
  const calls = uses.map((use, index) => {
    const recipient = stringAt(use, 'recipient_name') ?? ''
    const name = recipient.startsWith(PREFIX) ? recipient.slice(PREFIX.length) : recipient
    const args = objectAt(use, 'parameters')
    if (tools.find(name) === undefined || !isObject(args)) return undefined
    return restoreCall({ ...call, id: `${call.id}_${index}`, name, arguments: toJson(args) }, tools)
  })
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls : undefined
}

function uniqueIds(): (id: string) => string {
  const taken = new Set<string>()
  const counted = new Map<string, number>()
  return (id) => {
    let unique = id
    let number = counted.get(id) ?? 1
    while (taken.has(unique)) unique = `${id}_${number++}`
    counted.set(id, number)
    taken.add(unique)
    return unique
  }
}

/** Unwraps calls in a stream. A wrapper is held back until it is complete. */
class UnwrappingDecoder implements StreamDecoder {
  readonly #decoder: StreamDecoder
  readonly #tools: RequestTools
  readonly #held = new Map<number, { readonly id: string; readonly name: string; text: string }>()
  readonly #indexes = new Map<number, number>()
  readonly #unique = uniqueIds()
  #count = 0

  constructor(decoder: StreamDecoder, tools: RequestTools) {
    this.#decoder = decoder
    this.#tools = tools
  }

  push(event: unknown): readonly LMDelta[] {
    return this.#decoder.push(event).flatMap((delta) => this.#read(delta))
  }

  end(isDone?: boolean): readonly LMDelta[] {
    return this.#decoder.end(isDone).flatMap((delta) => this.#read(delta))
  }

  #read(delta: LMDelta): readonly LMDelta[] {
    switch (delta.type) {
      case 'call_start':
        if (isWrapper(delta.name, this.#tools)) {
          this.#held.set(delta.index, { id: delta.id, name: delta.name, text: '' })
          return []
        }
        this.#indexes.set(delta.index, this.#count)
        return [{ ...delta, index: this.#count++, id: this.#unique(delta.id) }]
      case 'arguments': {
        const held = this.#held.get(delta.index)
        if (held === undefined) return [{ ...delta, index: this.#indexes.get(delta.index) ?? delta.index }]
        held.text += delta.text
        return []
      }
      case 'call_end': {
        const held = this.#held.get(delta.index)
        if (held === undefined) return [{ ...delta, index: this.#indexes.get(delta.index) ?? delta.index }]
        const { arguments: whole = held.text, truncated, metadata } = delta
        const call: RawToolCall = { id: held.id, name: held.name, arguments: whole, truncated, metadata }
        return (unwrap(call, this.#tools) ?? [call]).flatMap((one) => this.#emitWhole(one))
      }
      default:
        return [delta]
    }
  }

  #emitWhole({ id, name, arguments: text, truncated, metadata }: RawToolCall): readonly LMDelta[] {
    const index = this.#count++
    return [
      { type: 'call_start', index, id: this.#unique(id), name },
      ...(text === '' ? [] : [{ type: 'arguments' as const, index, text }]),
      { type: 'call_end', index, ...(truncated && { truncated }), ...(metadata && { metadata }) },
    ]
  }
}
