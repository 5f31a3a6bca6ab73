/** Restores the original tool names and arguments of calls, and normalizes the finish reason of replies with calls. */
import type { FinishReason, LMDelta, RawToolCall } from '../protocol/protocol.ts'
import type { ShapedTool } from '../shaping/shape.ts'
import { isObject } from './read-json.ts'
import type { RequestTools } from './request-tools.ts'
import type { StreamDecoder } from './wire-format.ts'

export function restoreCall(call: RawToolCall, { find, names }: RequestTools): RawToolCall {
  const tool = find(call.name)
  const name = names.fromWire(call.name)
  const text = tool?.restores ? restoreText(call.arguments, tool) : call.arguments
  return name === call.name && text === call.arguments ? call : { ...call, name, arguments: text }
}

/** Normalizes a finish reason. Many APIs report `stop` for a reply with calls, and some report `stop` even after an error. */
export function finishBeside(hasCalls: boolean, finish: FinishReason, hasError: boolean): FinishReason {
  if (hasError && (finish === 'stop' || finish === 'tool-calls')) return 'error'
  return hasCalls && finish === 'stop' ? 'tool-calls' : finish
}

/** Restores the arguments in JSON text. Invalid JSON is returned unchanged, because it is repaired later. */
function restoreText(text: string, tool: ShapedTool): string {
  try {
    const args = parseExactly(text)
    if (!isObject(args)) return text
    const restored = tool.restore(args)
    return restored === args ? text : JSON.stringify(restored)
  } catch {
    return text
  }
}

/** Parses JSON. Undefined if JavaScript can't represent a number exactly, so that no digits are lost. */
function parseExactly(text: string): unknown {
  let isExact = true
  const value: unknown = JSON.parse(text, (_, part) => {
    if (typeof part === 'number' && (!Number.isFinite(part) || (Number.isInteger(part) && !Number.isSafeInteger(part))))
      isExact = false
    return part
  })
  return isExact ? value : undefined
}

/**
 * Restores the calls in a stream's deltas. Pieces of arguments are emitted as they arrive. If restoring changes the arguments, the end of
 * the call contains the complete new text.
 */
export class RestoringDecoder implements StreamDecoder {
  readonly #decoder: StreamDecoder
  readonly #tools: RequestTools | undefined
  /** The last call that was started. If an error occurs, this call counts as truncated regardless of the finish reason. */
  #last: number | undefined
  #hasError = false
  #finish: Extract<LMDelta, { type: 'finish' }> | undefined
  readonly #open = new Map<number, { readonly tool: ShapedTool; readonly pieces: string[] }>()

  constructor(decoder: StreamDecoder, tools?: RequestTools) {
    this.#decoder = decoder
    this.#tools = tools
  }

  push(event: unknown): readonly LMDelta[] {
    return this.#decoder.push(event).map((delta) => this.#restore(delta))
  }

  end(isDone?: boolean): readonly LMDelta[] {
    const deltas = this.#decoder.end(isDone).map((delta) => this.#restore(delta))
    const original = this.#finish
    const finish = original && this.#restore(original)
    // If the finish reason arrived before a call or an error, emits a corrected finish reason at the end.
    return finish === original || finish === undefined ? deltas : [...deltas, finish]
  }

  #restore(delta: LMDelta): LMDelta {
    switch (delta.type) {
      case 'call_start': {
        this.#last = delta.index
        if (this.#tools === undefined) return delta
        const tool = this.#tools.find(delta.name)
        if (tool?.restores) this.#open.set(delta.index, { tool, pieces: [] })
        const name = this.#tools.names.fromWire(delta.name)
        return name === delta.name ? delta : { ...delta, name }
      }
      case 'arguments':
        this.#open.get(delta.index)?.pieces.push(delta.text)
        return delta
      case 'call_end':
        return this.#restoreEnd(this.#hasError && delta.index === this.#last ? { ...delta, truncated: true } : delta)
      case 'finish': {
        const finish = finishBeside(this.#last !== undefined, delta.finishReason, this.#hasError)
        const restored = finish === delta.finishReason ? delta : { ...delta, finishReason: finish }
        this.#finish = restored
        return restored
      }
      case 'error':
        this.#hasError = true
        return delta
      default:
        return delta
    }
  }

  #restoreEnd(delta: CallEnd): LMDelta {
    const call = this.#open.get(delta.index)
    if (call === undefined) return delta
    this.#open.delete(delta.index)
    const text = delta.arguments ?? call.pieces.join('')
    const restored = restoreText(text, call.tool)
    return restored === text ? delta : { ...delta, arguments: restored }
  }
}

type CallEnd = Extract<LMDelta, { type: 'call_end' }>
