/** Decodes the events of a streamed Chat Completions reply into deltas. */

import { isCutBy } from '../../protocol/finish.ts'
import type { FinishReason, LMDelta } from '../../protocol/protocol.ts'
import type { CallIds } from '../call-ids.ts'
import { argumentsText } from '../calls.ts'
import { arrayAt, fieldAt, numberAt, objectAt, optional, stringAt } from '../read-json.ts'
import type { StreamDecoder } from '../wire-format.ts'
import { readFailedCalls, readFailedGeneration } from './failure.ts'
import { OPENAI } from './hosts.ts'
import { callMetadata, KeptFields, type ReplyHost } from './kept.ts'
import { isOwn, ProviderCalls } from './provider-calls.ts'
import { choiceOf, readChoiceError, readError, readReasoning, readRefusal, readText, readUsage, toFinish } from './read.ts'

interface OpenCall {
  readonly wireId: string | undefined
  /** The emitted id of the call. */
  id: string
  /** The fragment that contains the data to send back with the call. */
  extra: unknown
  /** Index of the call in the emitted deltas. Undefined until the call has a name and its start has been emitted. */
  index: number | undefined
  name: string
  /** Argument text that arrived before the name of the call. */
  waiting: string
  /** True if some of the arguments have arrived. */
  begun: boolean
  /** True if the arguments so far end with `}`. */
  closed: boolean
}

/**
 * Decodes a Chat Completions stream, and assigns each fragment to a call. Servers use `index` differently: it may start at 1, skip
 * numbers, be missing or be reused.
 * - A fragment with an index belongs to the call with that index. A new id and name at the same index start another call. If there are no
 *   ids, a name and arguments after complete arguments also start another call.
 * - A fragment without an index belongs to the call with its id. If the fragment has no id either, it belongs to the last call, unless
 *   that call has another name or is complete.
 * - Some relays change the id in each fragment. Text that continues the arguments then belongs to the same call.
 */
export class OpenAIChatStream implements StreamDecoder {
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()
  readonly #byId = new Map<string, OpenCall>()
  readonly #ids: CallIds
  readonly #host: ReplyHost
  readonly #kept: KeptFields
  readonly #provided = new ProviderCalls()
  #announced = 0
  #finishReason: FinishReason | undefined
  /** True once the last chunk has arrived, which has usage but no choice. */
  #closed = false
  #failed = false
  #ended = false

  /** Creates a decoder. `host` determines the key and the content of the metadata. */
  constructor(ids: CallIds, host: ReplyHost = OPENAI) {
    this.#ids = ids
    this.#host = host
    this.#kept = new KeptFields(host)
  }

  push(event: unknown): readonly LMDelta[] {
    const failed = readFailedGeneration(event)
    // The calls of a repeated failure must not be executed again.
    if (failed && this.#failed) return []
    const deltas: LMDelta[] = []
    const choice = choiceOf(event)
    // If calls have already arrived, the failed text may repeat them.
    const calls = failed && this.#calls.length === 0 && readFailedCalls(failed, this.#ids, this.#host.name)
    const error = readError(event) ?? readChoiceError(choice)
    if (error !== undefined) {
      this.#failed = true
      if (!calls) deltas.push({ type: 'error', error })
    }
    if (calls) {
      for (const { id, name, arguments: text, metadata } of calls) {
        const index = this.#announced++
        deltas.push(
          { type: 'call_start', index, id, name },
          { type: 'arguments', index, text },
          { type: 'call_end', index, metadata },
        )
      }
      this.#finishReason = 'tool-calls'
      deltas.push({ type: 'finish', finishReason: 'tool-calls' })
    } else if (failed) deltas.push({ type: 'malformed_call', text: failed })
    const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message')
    const reasoning = readReasoning(delta)
    if (reasoning !== undefined) deltas.push({ type: 'reasoning', text: reasoning })
    const text = readText(fieldAt(delta, 'content'))
    if (text !== '') deltas.push({ type: 'text', text })
    const refusal = readRefusal(delta)
    if (refusal !== undefined) deltas.push({ type: 'refusal', text: refusal })
    for (const fragment of fragmentsOf(delta)) deltas.push(...this.#readFragment(fragment))
    this.#kept.push(event, delta)
    this.#provided.push(delta)
    const usage = readUsage(event)
    if (usage !== undefined) deltas.push({ type: 'usage', usage })
    this.#closed = choice === undefined && (this.#closed || (usage !== undefined && Array.isArray(fieldAt(event, 'choices'))))
    deltas.push(...this.#readFinish(stringAt(choice, 'finish_reason')))
    return deltas
  }

  end(isDone = false): readonly LMDelta[] {
    if (this.#ended) return []
    this.#ended = true
    const deltas: LMDelta[] = []
    for (const call of this.#calls) {
      if (call.index === undefined && call.waiting !== '') deltas.push(...this.#announce(call))
    }
    for (const call of this.#calls) if (call.index !== undefined) deltas.push(this.#endOf(call, call.index))
    deltas.push(...this.#provided.deltas())
    const metadata = this.#kept.metadata()
    if (metadata !== undefined) deltas.push({ type: 'metadata', metadata })
    return [...deltas, ...this.#missingFinish(isDone)]
  }

  #endOf(call: OpenCall, index: number): LMDelta {
    const metadata = callMetadata(this.#host, call.wireId, call.id, call.extra)
    return { type: 'call_end', index, ...(this.#isCut(call) && { truncated: true }), ...optional({ metadata }) }
  }

  /** Returns the finish delta for a stream without a finish reason. The stream is complete only if its last chunk or `[DONE]` arrived. */
  #missingFinish(isDone: boolean): LMDelta[] {
    if (this.#finishReason !== undefined) return []
    if (!(this.#closed || isDone) || this.#failed) return [{ type: 'finish', finishReason: 'error' }]
    return [{ type: 'finish', finishReason: this.#announced > 0 ? 'tool-calls' : 'other' }]
  }

  /** True for the last call of a truncated reply, and for any unfinished call of a stream that ended early. */
  #isCut(call: OpenCall): boolean {
    if (this.#finishReason === undefined) return !this.#closed && !call.closed
    return isCutBy(this.#finishReason) && call.index === this.#announced - 1
  }

  #readFinish(rawFinishReason: string | undefined): LMDelta[] {
    const finishReason = toFinish(rawFinishReason)
    // A finish reason that a relay adds doesn't make a truncated reply complete.
    if (rawFinishReason === undefined || finishReason === undefined || isCutBy(this.#finishReason)) return []
    this.#finishReason = finishReason
    return [{ type: 'finish', finishReason, rawFinishReason }]
  }

  #readFragment(fragment: unknown): LMDelta[] {
    const body = objectAt(fragment, 'function')
    const id = stringAt(fragment, 'id') || undefined
    const name = stringAt(body, 'name') || undefined
    const text = argumentsText(fieldAt(body, 'arguments'))
    const wireIndex = numberAt(fragment, 'index')
    const call = this.#callFor(wireIndex, id, name, text) ?? this.#open(wireIndex, id)
    if (name !== undefined && call.name === '') call.name = name
    if (objectAt(fragment, 'extra_content') !== undefined) call.extra = fragment
    if (text.trim() !== '') {
      call.begun = true
      call.closed = text.trimEnd().endsWith('}')
    }
    if (call.index === undefined) {
      call.waiting += text
      return call.name === '' ? [] : this.#announce(call)
    }
    return text === '' ? [] : [{ type: 'arguments', index: call.index, text }]
  }

  #callFor(wireIndex: number | undefined, id: string | undefined, name: string | undefined, text: string): OpenCall | undefined {
    const known = this.#find(wireIndex, id) ?? (wireIndex === undefined ? this.#lastContinuedBy(name, text) : undefined)
    if (known === undefined || name === undefined || known.name === '') return known
    const isOther = known.name !== name
    if (id !== undefined) return known.wireId === id || continuesCall(known, name, text) ? known : undefined
    const opensAnother =
      wireIndex === undefined ? known.closed || isOther : known.closed && (isOther || text.trimStart().startsWith('{'))
    return opensAnother ? undefined : known
  }

  #lastContinuedBy(name: string | undefined, text: string): OpenCall | undefined {
    const last = this.#calls.at(-1)
    return last !== undefined && name === undefined && continuesCall(last, name, text) ? last : undefined
  }

  #find(wireIndex: number | undefined, id: string | undefined): OpenCall | undefined {
    if (wireIndex !== undefined) return this.#byIndex.get(wireIndex)
    return id === undefined ? this.#calls.at(-1) : this.#byId.get(id)
  }

  #open(wireIndex: number | undefined, wireId: string | undefined): OpenCall {
    const call: OpenCall = {
      ...{ wireId, id: '', extra: undefined, index: undefined },
      ...{ name: '', waiting: '', begun: false, closed: false },
    }
    this.#calls.push(call)
    if (wireIndex !== undefined) this.#byIndex.set(wireIndex, call)
    if (wireId !== undefined) this.#byId.set(wireId, call)
    return call
  }

  #announce(call: OpenCall): LMDelta[] {
    const index = this.#announced++
    call.index = index
    call.id = this.#ids.take(call.wireId)
    const start: LMDelta = { type: 'call_start', index, id: call.id, name: call.name }
    return call.waiting === '' ? [start] : [start, { type: 'arguments', index, text: call.waiting }]
  }
}

/** True if a fragment with another id still belongs to this call, because its text doesn't begin new arguments. */
function continuesCall(call: OpenCall, name: string | undefined, text: string): boolean {
  if (!call.begun || text === '' || (name !== undefined && call.name !== '' && call.name !== name)) return false
  return !call.closed || !text.trimStart().startsWith('{')
}

/** Returns the fragments of calls in a delta. The older `function_call` is a call without an index or id. */
function fragmentsOf(delta: unknown): readonly unknown[] {
  const fragments = arrayAt(delta, 'tool_calls').filter(isOwn)
  const legacy = objectAt(delta, 'function_call')
  return legacy === undefined || fragments.length > 0 ? fragments : [{ function: legacy }]
}
