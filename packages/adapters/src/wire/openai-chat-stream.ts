/** The events of a streamed Chat Completions reply, put together into deltas. */
import type { Finish, LMDelta } from '../protocol.ts'
import { argumentsText, isCutBy, readError, readReasoning, readText, readUsage, toFinish, uniqueId } from './openai-chat-read.ts'
import { arrayAt, fieldAt, numberAt, objectAt, stringAt } from './read-json.ts'
import type { StreamDecoder } from './wire-format.ts'

interface OpenCall {
  readonly wireId: string | undefined
  /** Undefined until a name has come: only then is the call announced. */
  index: number | undefined
  name: string
  /** Argument text that came before the name. */
  waiting: string
  /** The arguments so far end as an object does. */
  closed: boolean
}

/**
 * Servers disagree on `index`: it may start at 1, skip, be missing or be used again. A fragment belongs to the call with its
 * index; a new id and name at a used index open a new call; without an index it belongs to the call with its id, else the last,
 * unless it names another one or that one is whole.
 */
export class OpenAIChatStream implements StreamDecoder {
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()
  readonly #byId = new Map<string, OpenCall>()
  readonly #ids = new Set<string>()
  #announced = 0
  #finish: Finish | undefined
  #ended = false

  push(event: unknown): readonly LMDelta[] {
    const deltas: LMDelta[] = []
    const error = readError(event)
    if (error !== undefined) deltas.push({ type: 'error', error })
    const choice = arrayAt(event, 'choices').find((candidate) => (numberAt(candidate, 'index') ?? 0) === 0)
    const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message')
    const reasoning = readReasoning(delta)
    if (reasoning !== undefined) deltas.push({ type: 'reasoning', text: reasoning })
    const text = readText(fieldAt(delta, 'content'))
    if (text !== '') deltas.push({ type: 'text', text })
    const refusal = stringAt(delta, 'refusal')
    if (refusal) deltas.push({ type: 'refusal', text: refusal })
    for (const fragment of fragmentsOf(delta)) deltas.push(...this.#readFragment(fragment))
    const usage = readUsage(event)
    if (usage !== undefined) deltas.push({ type: 'usage', usage })
    deltas.push(...this.#readFinish(stringAt(choice, 'finish_reason')))
    return deltas
  }

  end(): readonly LMDelta[] {
    if (this.#ended) return []
    this.#ended = true
    const deltas: LMDelta[] = []
    for (const call of this.#calls) {
      if (call.index === undefined && call.waiting !== '') deltas.push(...this.#announce(call))
    }
    for (const call of this.#calls) {
      if (call.index !== undefined)
        deltas.push({ type: 'call_end', index: call.index, ...(this.#isCut(call) && { truncated: true }) })
    }
    // A stream without a reason has not come to its end.
    if (this.#finish === undefined) deltas.push({ type: 'finish', finish: 'error' })
    return deltas
  }

  /** Cut off: the last call of a reply that reached its limit, or any open one of a stream that just stopped. */
  #isCut(call: OpenCall): boolean {
    if (this.#finish === undefined) return !call.closed
    return isCutBy(this.#finish) && call.index === this.#announced - 1
  }

  #readFinish(rawFinish: string | undefined): LMDelta[] {
    const finish = toFinish(rawFinish)
    if (rawFinish === undefined || finish === undefined) return []
    this.#finish = finish
    return [{ type: 'finish', finish, rawFinish }]
  }

  #readFragment(fragment: unknown): LMDelta[] {
    const body = objectAt(fragment, 'function')
    const id = stringAt(fragment, 'id') || undefined
    const name = stringAt(body, 'name') || undefined
    const text = argumentsText(fieldAt(body, 'arguments'))
    const wireIndex = numberAt(fragment, 'index')
    const call = this.#callFor(wireIndex, id, name) ?? this.#open(wireIndex, id)
    if (name !== undefined && call.name === '') call.name = name
    if (text.trim() !== '') call.closed = text.trimEnd().endsWith('}')
    if (call.index === undefined) {
      call.waiting += text
      return call.name === '' ? [] : this.#announce(call)
    }
    return text === '' ? [] : [{ type: 'arguments', index: call.index, text }]
  }

  #callFor(wireIndex: number | undefined, id: string | undefined, name: string | undefined): OpenCall | undefined {
    const known = this.#find(wireIndex, id)
    if (known === undefined || name === undefined || known.name === '') return known
    const opensAnother = id !== undefined ? known.wireId !== id : wireIndex === undefined && (known.closed || known.name !== name)
    return opensAnother ? undefined : known
  }

  #find(wireIndex: number | undefined, id: string | undefined): OpenCall | undefined {
    if (wireIndex !== undefined) return this.#byIndex.get(wireIndex)
    return id === undefined ? this.#calls.at(-1) : this.#byId.get(id)
  }

  #open(wireIndex: number | undefined, wireId: string | undefined): OpenCall {
    const call: OpenCall = { wireId, index: undefined, name: '', waiting: '', closed: false }
    this.#calls.push(call)
    if (wireIndex !== undefined) this.#byIndex.set(wireIndex, call)
    if (wireId !== undefined) this.#byId.set(wireId, call)
    return call
  }

  #announce(call: OpenCall): LMDelta[] {
    const index = this.#announced++
    call.index = index
    const start: LMDelta = { type: 'call_start', index, id: uniqueId(call.wireId, index, this.#ids), name: call.name }
    return call.waiting === '' ? [start] : [start, { type: 'arguments', index, text: call.waiting }]
  }
}

/** The pieces of calls in a delta; the older `function_call` counts as a call without index and id. */
function fragmentsOf(delta: unknown): readonly unknown[] {
  const fragments = arrayAt(delta, 'tool_calls')
  const legacy = objectAt(delta, 'function_call')
  return legacy === undefined || fragments.length > 0 ? fragments : [{ function: legacy }]
}
