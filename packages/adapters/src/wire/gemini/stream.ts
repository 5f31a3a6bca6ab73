/** Decodes the events of a reply into deltas. A complete reply is decoded as a single event. */

import { isCutBy } from '../../protocol/finish.ts'
import type { FinishReason, LMDelta, Metadata } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { KeptParts } from './kept-parts.ts'
import { PartialArgs } from './partial-args.ts'
import { readBlock, readError, readProviderCall, readReason, readUsage, toFinish } from './read.ts'

interface OpenCall {
  readonly index: number
  readonly name: string
  readonly rawId: string | undefined
  readonly id: string
  signature: string | undefined
  /** The arguments so far, if they arrive value by value. */
  readonly partial: PartialArgs | undefined
}

/**
 * Decodes streamed parts. Each part is complete, except a call with streamed arguments (`partialArgs`). A complete call ends at the next
 * part. A call with streamed arguments ends when it is marked as complete. If another call starts first, the unfinished call is
 * truncated.
 */
export class GeminiStream implements StreamDecoder {
  readonly #ids: CallIds
  readonly #kept = new KeptParts()
  #calls = 0
  #open: OpenCall | undefined
  #finishReason: FinishReason | undefined
  #reason: string | undefined
  #finishMessage: string | undefined
  #hasError = false
  #isOver = false

  constructor(ids: CallIds) {
    this.#ids = ids
  }

  /** Decodes an event. Without server-sent events, a stream is a single list of such events. */
  push(event: unknown): readonly LMDelta[] {
    return Array.isArray(event) ? event.flatMap((one) => this.#readReply(one)) : this.#readReply(event)
  }

  end(): readonly LMDelta[] {
    return this.#close('error')
  }

  /** Ends a reply that wasn't streamed. Such a reply is complete even without a finish reason. */
  endReply(): readonly LMDelta[] {
    return this.#close(this.#calls > 0 ? 'tool-calls' : undefined)
  }

  #close(finishOfNone: FinishReason | undefined): readonly LMDelta[] {
    if (this.#isOver) return []
    this.#isOver = true
    const none = this.#hasError ? 'error' : finishOfNone
    const deltas = this.#endCall(isCutBy(this.#finishReason), this.#finishReason !== undefined || finishOfNone !== 'error')
    const metadata = optional({ parts: this.#kept.parts(), finishMessage: this.#finishMessage })
    if (Object.keys(metadata).length > 0) deltas.push({ type: 'metadata', metadata: { gemini: metadata } })
    const isLate = this.#finishReason === 'stop' && this.#calls > 0
    if (isLate) deltas.push({ type: 'finish', finishReason: 'tool-calls', ...optional({ rawFinishReason: this.#reason }) })
    else if (this.#finishReason === undefined && none !== undefined) deltas.push({ type: 'finish', finishReason: none })
    return deltas
  }

  #readReply(reply: unknown): LMDelta[] {
    const deltas: LMDelta[] = []
    const error = readError(reply)
    if (error !== undefined) deltas.push({ type: 'error', error })
    this.#hasError ||= error !== undefined
    const candidate = arrayAt(reply, 'candidates').find((one) => (numberAt(one, 'index') ?? 0) === 0)
    for (const part of arrayAt(objectAt(candidate, 'content'), 'parts')) {
      if (isObject(part)) deltas.push(...this.#readPart(part))
    }
    const usage = readUsage(reply)
    if (usage !== undefined) deltas.push({ type: 'usage', usage })
    const block = readBlock(reply)
    this.#finishMessage = stringAt(candidate, 'finishMessage') ?? block?.message ?? this.#finishMessage
    const reason = readReason(candidate)
    if (reason !== undefined) deltas.push(...this.#finish(reason, toFinish(reason, this.#calls > 0)))
    else if (block !== undefined && this.#finishReason === undefined) deltas.push(...this.#finish(block.reason, 'content-filter'))
    return deltas
  }

  /** Emits the finish reason if it is new. Older models repeat the finish reason in each event. */
  #finish(reason: string, finishReason: FinishReason): LMDelta[] {
    // A later finish reason doesn't make a truncated reply complete.
    if ((reason === this.#reason && finishReason === this.#finishReason) || isCutBy(this.#finishReason)) return []
    this.#reason = reason
    this.#finishReason = finishReason
    const ended = isCutBy(finishReason) || this.#open?.partial !== undefined ? [] : this.#endCall(false, true)
    return [...ended, { type: 'finish', finishReason, rawFinishReason: reason }]
  }

  #readPart(part: JsonObject): LMDelta[] {
    if (isObject(part.functionCall)) return this.#readCall(part.functionCall, signatureOf(part))
    const text = stringAt(part, 'text') ?? ''
    const isNothing = text === '' && Object.keys(part).every((key) => key === 'text' || key === 'thought')
    if (isNothing) return []
    const deltas = this.#open?.partial === undefined ? this.#endCall(false, true) : []
    this.#kept.add(part)
    if (text !== '') deltas.push({ type: part.thought === true ? 'reasoning' : 'text', text })
    const call = readProviderCall(part)
    if (call !== undefined) deltas.push({ type: 'provider_call', call })
    return deltas
  }

  #readCall(call: JsonObject, signature: string | undefined): LMDelta[] {
    const name = nameOf(call)
    const hasMore = call.willContinue === true
    const values = arrayAt(call, 'partialArgs')
    const open = this.#open
    if (open?.partial !== undefined && (name === '' || (name === open.name && values.length > 0))) {
      open.signature ??= signature
      const pieces = pushAll(open.partial, values, open.index)
      return hasMore ? pieces : [...pieces, ...this.#endCall(false, true)]
    }
    const text = argumentsText(call.args)
    if (name === '' && text === '' && values.length === 0) return []
    const deltas = this.#endCall(false, false)
    const isPartial = (hasMore || values.length > 0) && (text === '' || text === '{}')
    const started = this.#start(name, stringAt(call, 'id'), signature, isPartial ? new PartialArgs() : undefined)
    deltas.push({ type: 'call_start', index: started.index, id: started.id, name })
    if (!isPartial) deltas.push(...argumentsOf(started.index, text))
    if (started.partial !== undefined) deltas.push(...pushAll(started.partial, values, started.index))
    if (isPartial && !hasMore) deltas.push(...this.#endCall(false, true))
    return deltas
  }

  #start(name: string, rawId: string | undefined, signature: string | undefined, partial: PartialArgs | undefined): OpenCall {
    const id = this.#ids.take(rawId)
    this.#open = { index: this.#calls++, name, rawId, id, signature, partial }
    this.#kept.addCall(id)
    return this.#open
  }

  /** Ends the open call. Arguments that arrive value by value may be incomplete even if the reply is complete. */
  #endCall(isCut: boolean, isComplete: boolean): LMDelta[] {
    const call = this.#open
    if (call === undefined) return []
    this.#open = undefined
    const { index, partial } = call
    const truncated = isCut || (partial !== undefined && !(isComplete && partial.isWhole()))
    const { rest, whole } = partial?.close(truncated) ?? NOTHING
    const end = optional({ arguments: whole, truncated: truncated || undefined, metadata: metadataOf(call) })
    return [...argumentsOf(index, rest), { type: 'call_end', index, ...end }]
  }
}

const NOTHING: ReturnType<PartialArgs['close']> = { rest: '' }

function pushAll(partial: PartialArgs, values: readonly unknown[], index: number): LMDelta[] {
  return argumentsOf(index, values.map((value) => partial.push(value)).join(''))
}

function argumentsOf(index: number, text: string): LMDelta[] {
  return text === '' ? [] : [{ type: 'arguments', index, text }]
}

/** Returns the signature of a call, and the provider's id if a generated id replaced that id. */
function metadataOf({ id, rawId, signature }: OpenCall): Metadata | undefined {
  const metadata = optional({ thoughtSignature: signature, id: rawId === id || rawId === '' ? undefined : rawId })
  return Object.keys(metadata).length === 0 ? undefined : { gemini: metadata }
}

function signatureOf(part: JsonObject): string | undefined {
  return stringAt(part, 'thoughtSignature') || undefined
}

/** Returns the name of a call. Converts a number to text, so that the call is reported as one to an unknown tool. */
function nameOf(call: JsonObject): string {
  const name = fieldAt(call, 'name')
  return typeof name === 'string' ? name : typeof name === 'number' ? String(name) : ''
}
