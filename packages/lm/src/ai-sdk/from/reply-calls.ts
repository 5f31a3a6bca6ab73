/**
 * Collects the calls of one reply. Each call gets a unique id, and starts and ends once. A call counts as truncated until its end
 * arrives.
 */
import type { LMDelta, LMRequest, Metadata, RawToolCall } from '@x/adapters'
import { optional } from '../read.ts'

interface Call {
  readonly index: number
  readonly id: string
  readonly name: string
  arguments: string
  /** True until the end of the call arrives. */
  truncated: boolean
  metadata?: Metadata | undefined
}
type CallEnd = LMDelta & { type: 'call_end' }

export class ReplyCalls {
  readonly #calls: Call[] = []
  readonly #open = new Map<string, Call>()
  readonly #ids = new Set<string>()
  /** Generated ids below this number are taken. */
  #free = 0
  readonly #prefix: string
  /** The end of a call that is held back until it is known whether the reply was truncated inside this call. */
  #waiting: { readonly call: Call; readonly end: CallEnd } | undefined

  constructor({ messages }: LMRequest) {
    this.#prefix = `call_${messages.length}`
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  /** Returns the id of the open call with this key. If the key is empty or already used, returns a generated id. */
  idOf(key: string): string {
    return this.#open.get(key)?.id ?? key
  }

  /** Starts a call. `key` is the provider's id for it. A repeated key starts another call. */
  start(key: string, name: string): LMDelta[] {
    const ended = this.cut(key, {})
    const call = { index: this.#calls.length, id: this.#take(key), name, arguments: '', truncated: true }
    this.#calls.push(call)
    this.#open.set(key, call)
    return [...ended, ...this.#release(), { type: 'call_start', index: call.index, id: call.id, name }]
  }

  append(key: string, text: string): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined || text === '') return []
    call.arguments += text
    return [{ type: 'arguments', index: call.index, text }]
  }

  /** Ends a call. `input` is the complete text of its arguments. */
  end(key: string, input: string, metadata: Metadata | undefined): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined) return []
    const released = this.#release()
    const { deltas, end } = this.#close(key, call, input, metadata)
    call.truncated = false
    this.#waiting = { call, end }
    return [...released, ...deltas]
  }

  /** Ends a call that was truncated. */
  cut(key: string, { arguments: input, metadata }: Partial<RawToolCall>): LMDelta[] {
    const call = this.#open.get(key)
    if (call === undefined) return []
    const { deltas, end } = this.#close(key, call, input ?? call.arguments, metadata)
    return [...deltas, { ...end, truncated: true }]
  }

  /**
   * Ends the reply. Calls that haven't ended are truncated. In a truncated reply, the last call counts as truncated too, unless
   * its end was already passed on.
   */
  endAll(isCut: boolean): LMDelta[] {
    const released = this.#release(isCut && this.#waiting?.call === this.#calls.at(-1))
    return [...released, ...[...this.#open.keys()].flatMap((key) => this.cut(key, {}))]
  }

  list(): readonly RawToolCall[] {
    return this.#calls.map(({ id, name, arguments: text, truncated, metadata }) => ({
      ...{ id, name, arguments: text },
      ...(truncated && { truncated }),
      ...(metadata && { metadata }),
    }))
  }

  #close(key: string, call: Call, input: string, metadata: Metadata | undefined): { deltas: LMDelta[]; end: CallEnd } {
    this.#open.delete(key)
    const { index, arguments: pieces } = call
    call.arguments = input
    call.metadata = metadata
    const isNew = pieces === '' && input !== ''
    return {
      deltas: isNew ? [{ type: 'arguments', index, text: input }] : [],
      end: { type: 'call_end', index, ...optional({ arguments: isNew || pieces === input ? undefined : input, metadata }) },
    }
  }

  #release(truncated = false): LMDelta[] {
    if (this.#waiting === undefined) return []
    const { call, end } = this.#waiting
    this.#waiting = undefined
    call.truncated = truncated
    return [truncated ? { ...end, truncated } : end]
  }

  #take(raw: string): string {
    let id = raw
    if (id === '' || this.#ids.has(id)) {
      this.#free = Math.max(this.#free, this.#ids.size)
      do id = `${this.#prefix}_${this.#free++}`
      while (this.#ids.has(id))
    }
    this.#ids.add(id)
    return id
  }
}
