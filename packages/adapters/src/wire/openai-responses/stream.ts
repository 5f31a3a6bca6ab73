/** Decodes the events of a streamed reply of the Responses API into deltas. */

import { isCutBy } from '../../protocol/finish.ts'
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { readError } from '../openai-chat/read.ts'
import { arrayAt, fieldAt, type JsonObject, objectAt, optional, stringAt } from '../read-json.ts'
import { StreamedCalls } from '../streamed-calls.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { isTruncated, readEventError, readUsage } from './decode.ts'
import {
  callIdOf,
  callMetadata,
  isAsked,
  isCall,
  itemsMetadata,
  readEnding,
  readItemReasoning,
  readItemRefusal,
  readItemText,
  toProviderCall,
} from './items.ts'
import { type Slot, Slots } from './slots.ts'

/**
 * Decodes a Responses stream. Emits pieces as they arrive. The arguments of a completed item take precedence over streamed ones, and the
 * last event adds items that weren't streamed. A call ends only when another item starts, because a reply is always truncated in its last
 * item.
 */
export class OpenAIResponsesStream implements StreamDecoder {
  readonly #slots = new Slots()
  readonly #calls: StreamedCalls<Slot>
  readonly #ids = new Map<Slot, string>()
  #waiting: Slot[] = []
  #hasFailed = false
  /** True if the stream had a start event. Such a stream is complete only with an end event. */
  #hasBegun = false
  #isOver = false

  constructor(ids: CallIds) {
    this.#calls = new StreamedCalls(ids)
  }

  push(event: unknown): readonly LMDelta[] {
    if (this.#isOver) return []
    const type = stringAt(event, 'type') ?? stringAt(event, '_event') ?? ''
    const piece = PIECES.get(type)
    if (piece !== undefined) return this.#readPiece(event, piece)
    switch (type) {
      case 'response.output_item.added':
        return this.#readAdded(event)
      case 'response.output_item.done':
        return this.#readDone(event)
      case 'response.function_call_arguments.delta':
        return this.#append(this.#slots.findOrOpen(event, 'function_call'), stringAt(event, 'delta') ?? '')
      case 'response.function_call_arguments.done':
        return this.#readArguments(event)
      case 'response.created':
      case 'response.in_progress':
        this.#hasBegun = true
        return []
      case 'error':
      case 'response.error':
        return this.#fail(readEventError(event))
      default:
        return ENDS.has(type) ? this.#readEnd(event, type) : this.#fail(isBareError(event, type) ? readError(event) : undefined)
    }
  }

  end(): readonly LMDelta[] {
    if (this.#isOver) return []
    this.#isOver = true
    const slots = this.#slots.all()
    const isWhole = !this.#hasBegun && !this.#hasFailed && slots.every(({ isDone }) => isDone)
    const hasCalls = slots.some(({ item }) => isCall(item) || isAsked(item))
    const finishReason: FinishReason = isWhole && hasCalls ? 'tool-calls' : 'error'
    const deltas = slots.filter(({ item }) => isCall(item)).flatMap((slot) => this.#endCall(slot, !isEnded(slot)))
    return [...deltas, ...this.#metadata(slots.filter(({ isDone }) => isDone)), { type: 'finish', finishReason }]
  }

  #readAdded(event: unknown): LMDelta[] {
    const item = objectAt(event, 'item')
    if (item === undefined) return []
    const released = this.#release()
    return [...released, ...this.#start(this.#slots.add(event, item), false)]
  }

  #readDone(event: unknown): LMDelta[] {
    const item = objectAt(event, 'item')
    if (item === undefined) return []
    return this.#emit(this.#slots.finish(event, item))
  }

  #readPiece(event: unknown, kind: Piece): LMDelta[] {
    const text = stringAt(event, 'delta') ?? ''
    if (text === '') return []
    const slot = this.#slots.findOrOpen(event, kind === 'reasoning' ? 'reasoning' : 'message')
    slot.streamed[kind] += text.length
    return [{ type: kind, text }]
  }

  #readArguments(event: unknown): LMDelta[] {
    const slot = this.#slots.findOrOpen(event, 'function_call')
    slot.whole = argumentsText(fieldAt(event, 'arguments'))
    const name = stringAt(event, 'name')
    if (name && !stringAt(slot.item, 'name')) slot.item = { ...slot.item, name }
    return this.#start(slot, false)
  }

  #readEnd(event: unknown, type: string): LMDelta[] {
    this.#isOver = true
    const status = ENDS.get(type)
    const isFailed = status === 'failed' || status === 'cancelled'
    // A relay may send a status from before the failure.
    const reply: JsonObject = { ...optional({ status }), ...objectAt(event, 'response'), ...(isFailed && { status }) }
    const matched = this.#slots.match(arrayAt(reply, 'output'))
    const slots = this.#slots.all()
    const ending = readEnding(
      reply,
      slots.some(({ item }) => isCall(item) || isAsked(item)),
    )
    const failed = this.#fail(readError(reply))
    const finishReason = this.#hasFailed ? 'error' : ending.finishReason
    const isCut = isCutBy(finishReason)
    const deltas = slots.flatMap((slot) => this.#emit(slot))
    for (const slot of slots) {
      const isPart = isTruncated(slot.item, isCut, slot === slots.at(-1)) || (isCut && !isEnded(slot) && !matched.has(slot))
      if (isCall(slot.item)) deltas.push(...this.#endCall(slot, isPart))
    }
    deltas.push(...failed, ...this.#metadata(slots.filter((slot) => slot.isDone || matched.has(slot))))
    const usage = readUsage(reply)
    if (usage !== undefined) deltas.push({ type: 'usage', usage })
    return [
      ...deltas,
      { type: 'finish', finishReason: finishReason ?? 'other', ...optional({ rawFinishReason: ending.rawFinishReason }) },
    ]
  }

  /** Emits the parts of an item that haven't been emitted yet. The end of a call is delayed. */
  #emit(slot: Slot): LMDelta[] {
    if (slot.isEmitted) return []
    slot.isEmitted = true
    const { item, streamed } = slot
    if (isCall(item)) {
      this.#waiting.push(slot)
      return this.#start(slot, true)
    }
    const deltas: LMDelta[] = []
    const [reasoning, text, refusal] = [readItemReasoning(item), readItemText(item), readItemRefusal(item)]
    if (reasoning !== '' && streamed.reasoning === 0) deltas.push({ type: 'reasoning', text: reasoning })
    if (text !== '' && streamed.text === 0) deltas.push({ type: 'text', text })
    if (refusal !== '' && streamed.refusal === 0) deltas.push({ type: 'refusal', text: refusal })
    const call = toProviderCall(item)
    return call === undefined ? deltas : [...deltas, { type: 'provider_call', call }]
  }

  /** Starts a call once its name and id are known, or in any case if `isLast` is true. */
  #start(slot: Slot, isLast: boolean): LMDelta[] {
    const { item } = slot
    if (slot.isStarted || !isCall(item) || (!isLast && !(stringAt(item, 'name') && stringAt(item, 'call_id')))) return []
    slot.isStarted = true
    const deltas = this.#calls.start(slot, callIdOf(item), stringAt(item, 'name') ?? '')
    for (const delta of deltas) if (delta.type === 'call_start') this.#ids.set(slot, delta.id)
    return [...deltas, ...this.#calls.append(slot, slot.pieces)]
  }

  #append(slot: Slot, text: string): LMDelta[] {
    slot.pieces += text
    return slot.isStarted ? this.#calls.append(slot, text) : []
  }

  /** Ends completed calls when another item starts. */
  #release(): LMDelta[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting.flatMap((slot) => this.#endCall(slot, isTruncated(slot.item, false, false)))
  }

  #endCall(slot: Slot, truncated: boolean): LMDelta[] {
    const started = this.#start(slot, true)
    const whole = argumentsText(fieldAt(slot.item, 'arguments')) || slot.whole || slot.pieces
    const missing = slot.pieces === '' ? this.#append(slot, whole) : []
    const metadata = callMetadata(slot.item, this.#ids.get(slot) ?? '')
    const end = {
      ...(whole !== slot.pieces && { arguments: whole }),
      ...(truncated && { truncated }),
      ...optional({ metadata }),
    }
    return [...started, ...missing, ...this.#calls.end(slot, end)]
  }

  #metadata(slots: readonly Slot[]): LMDelta[] {
    const metadata = itemsMetadata(slots.map(({ item }) => item))
    return metadata === undefined ? [] : [{ type: 'metadata', metadata }]
  }

  #fail(error: ReturnType<typeof readError>): LMDelta[] {
    if (error === undefined) return []
    const isFirst = !this.#hasFailed
    this.#hasFailed = true
    return isFirst ? [{ type: 'error', error }] : []
  }
}

type Piece = 'text' | 'reasoning' | 'refusal'

const PIECES: ReadonlyMap<string, Piece> = new Map<string, Piece>([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.reasoning_text.delta', 'reasoning'],
])

/** The event types that end a stream, with the status that each of them implies. */
const ENDS: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
  ['response.cancelled', 'cancelled'],
  ['response.done', undefined],
])

/** True for an error outside an `error` event. vLLM sends the error class as the event type. */
function isBareError(event: unknown, type: string): boolean {
  return type === '' || stringAt(event, 'object') === 'error'
}

/** True if all arguments of a call have arrived. */
function isEnded({ isDone, whole }: Slot): boolean {
  return isDone || whole !== undefined
}
