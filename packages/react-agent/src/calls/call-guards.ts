/** Calls that lead nowhere: the same one again and again, and those of a tool that fails every time. */
import type { Message, Observation, ToolMessage } from '@x/adapters'
import type { Effect, ToolMap } from '@x/tool-core'
import { failingTool, repeatedCall } from '../prompts.ts'
import { CallMap, type WrittenCall } from './call-map.ts'

export interface CallGuardOptions {
  /** Maximum number of identical results for an identical call before it is refused. */
  readonly maxRepeats: number
  /** Maximum number of failures in a row of one tool before its calls are refused. */
  readonly maxToolFailures: number
}

/** Why a call isn't run, and the message for the model. */
export interface Refusal {
  readonly reason: 'repeated_call' | 'failing_tool' | 'other_calls_failed' | 'too_many_calls'
  readonly message: string
}

/** What the calls of one run gave. It looks only at what the calls gave, so a run that is replayed decides the same. */
export class CallGuards {
  readonly #options: CallGuardOptions
  readonly #repeats = new CallMap<{ text: string; count: number; writes: number }>()
  readonly #writes = new WriteCount()
  /** Of any call. Most runs repeat none, and need not compare any. */
  #mostRepeats = 0
  readonly #failures = new Map<string, number>()
  /** The ids of the calls that count, in the order in which they were told. */
  readonly #counted: string[] = []

  constructor(options: CallGuardOptions) {
    this.#options = options
  }

  get maxRepeats(): number {
    return this.#options.maxRepeats
  }

  /**
   * Called before a call is run. `effect` is that of its tool, undefined where the tool doesn't declare it; `isChanged` where a call before
   * it in the same turn may change its result.
   */
  refuse(call: WrittenCall, effect: Effect | undefined, isChanged = false): Refusal | undefined {
    const { maxRepeats, maxToolFailures } = this.#options
    const failures = this.#failures.get(call.name) ?? 0
    if (failures >= maxToolFailures) return { reason: 'failing_tool', message: failingTool(call.name, failures) }
    if (isChanged || this.#mostRepeats < maxRepeats) return undefined
    const count = this.#repeatsOf(call, effect)?.count ?? 0
    return count < maxRepeats ? undefined : { reason: 'repeated_call', message: repeatedCall(count) }
  }

  /** Records the result of a call that was run; `text` is all of it. */
  note(call: WrittenCall, effect: Effect | undefined, { callId, ok, text }: Pick<Observation, 'callId' | 'ok' | 'text'>): void {
    const writes = this.#writes.before(effect)
    this.#counted.push(callId)
    if (!ok) this.#failures.set(call.name, (this.#failures.get(call.name) ?? 0) + 1)
    else if (this.#failures.size > 0) this.#failures.delete(call.name)
    const entry = this.#repeats.of(call)
    const before = entry.value
    const count = before?.text === text && before.writes === writes ? before.count + 1 : 1
    entry.value = { text, count, writes }
    this.#mostRepeats = Math.max(this.#mostRepeats, count)
    this.#writes.add(effect)
  }

  /** Undefined where a call since then may have changed what this one returns. */
  #repeatsOf(call: WrittenCall, effect: Effect | undefined) {
    const repeats = this.#repeats.find(call)?.value
    return repeats?.writes === this.#writes.before(effect) ? repeats : undefined
  }

  /** As plain data, for a run that pauses: with what was said it is all that is known here. */
  toJSON(): readonly string[] {
    return this.#counted
  }

  /** Of a run that goes on: what was said in it, which of its calls count, and the results that were too long to be said whole. */
  restore(
    counted: readonly string[],
    messages: readonly Message[],
    whole: Readonly<Record<string, string>>,
    tools: ToolMap,
  ): void {
    const calls = new Map<string, WrittenCall>()
    const results = new Map<string, ToolMessage>()
    for (const message of messages) {
      if (message.role === 'assistant') for (const raw of message.toolCalls ?? []) calls.set(raw.id, raw)
      if (message.role === 'tool') results.set(message.callId, message)
    }
    for (const callId of counted) {
      const call = calls.get(callId)
      const result = results.get(callId)
      if (call === undefined || result === undefined) continue
      const { content, isError = false } = result
      const text = Object.hasOwn(whole, callId) ? (whole[callId] as string) : content
      this.note(call, tools.get(call.name)?.effect, { callId, ok: !isError, text })
    }
  }
}

/** Calls that may have changed what a later call returns. */
export class WriteCount {
  /** Of tools that declare `write` or `destructive`. */
  #writes = 0
  /** The same, and `idempotent` ones. */
  #declared = 0
  /** The same, and those that declare no effect. */
  #possible = 0

  add(effect: Effect | undefined): void {
    if (effect === 'read') return
    this.#possible++
    if (effect !== undefined) this.#declared++
    if (effect === 'write' || effect === 'destructive') this.#writes++
  }

  /**
   * Those that may have changed what a tool of this effect returns. Repeating a write isn't excused by another one, so that two tools that
   * write don't excuse each other.
   */
  before(effect: Effect | undefined): number {
    if (effect === 'read') return this.#possible
    if (effect === 'idempotent') return this.#writes
    return effect === undefined ? this.#declared : 0
  }
}
