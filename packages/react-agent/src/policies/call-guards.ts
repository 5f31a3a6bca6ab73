/** Calls that lead nowhere: the same one again and again, and those of a tool that fails every time. */
import type { Message, Observation, RawToolCall, ToolMessage } from '@x/adapters'
import type { Effect } from '@x/tool-core'

export interface CallGuardOptions {
  /** How often the same call may give the same result before it is not run any more. */
  readonly maxRepeats: number
  /** How often calls of one tool may fail in a row before it is not run any more. */
  readonly maxFailures: number
}

/** A call as the model wrote it. */
export type GuardedCall = Pick<RawToolCall, 'name' | 'arguments'>

/** Why a call isn't run, and the message for the model. */
export interface Refusal {
  readonly reason: 'repeated_call' | 'failing_tool' | 'other_calls_failed' | 'too_many_calls'
  readonly message: string
}

/** What the calls of one run gave. It looks only at what the calls gave, so a run that is replayed decides the same. */
export class CallGuards {
  readonly #options: CallGuardOptions
  /** Undefined for a tool that doesn't declare its effect. */
  readonly #effectOf: (name: string) => Effect | undefined
  readonly #repeats = new Map<string, { text: string; count: number; writes: number }>()
  /** Calls so far of tools that declare that they write. */
  #writes = 0
  /** The same, and calls of tools that don't declare their effect. */
  #possibleWrites = 0
  /** Of any call. Most runs repeat none, and need not compare any. */
  #mostRepeats = 0
  readonly #failures = new Map<string, number>()
  /** The ids of the calls that count, in the order in which they were told. */
  readonly #counted: string[] = []

  constructor(options: CallGuardOptions, effectOf: (name: string) => Effect | undefined) {
    this.#options = options
    this.#effectOf = effectOf
  }

  get maxRepeats(): number {
    return this.#options.maxRepeats
  }

  /** Asked before a call is run. */
  refuse(call: GuardedCall): Refusal | undefined {
    const { maxRepeats, maxFailures } = this.#options
    const failures = this.#failures.get(call.name) ?? 0
    if (failures >= maxFailures)
      return {
        reason: 'failing_tool',
        message: `"${call.name}" failed ${failures} times in a row and is not run any more. Do without it, or say why the task cannot be done.`,
      }
    if (this.#mostRepeats < maxRepeats) return undefined
    const count = this.#repeatsOf(call)?.count ?? 0
    if (count < maxRepeats) return undefined
    return {
      reason: 'repeated_call',
      message: `This very call was made ${count} times, with the same result each time; it stands above. It was not run again. Do something else, or answer.`,
    }
  }

  /** Told what was answered to a call. One that was refused says nothing new. */
  note(call: GuardedCall, { callId, ok, text }: Observation): void {
    if (this.refuse(call) !== undefined) return
    this.#counted.push(callId)
    if (!ok) this.#failures.set(call.name, (this.#failures.get(call.name) ?? 0) + 1)
    else if (this.#failures.size > 0) this.#failures.delete(call.name)
    const before = this.#repeatsOf(call)
    const count = before?.text === text ? before.count + 1 : 1
    this.#repeats.set(keyOf(call), { text, count, writes: this.#writesBefore(call) })
    this.#mostRepeats = Math.max(this.#mostRepeats, count)
    const effect = this.#effectOf(call.name)
    if (effect === 'read') return
    this.#possibleWrites++
    if (effect !== undefined) this.#writes++
  }

  /** Undefined where a call since then may have changed what this one gives. */
  #repeatsOf(call: GuardedCall) {
    const repeats = this.#repeats.get(keyOf(call))
    return repeats?.writes === this.#writesBefore(call) ? repeats : undefined
  }

  /** A read may give something else after any other call; a call of unknown effect after a write; a write is no news to itself. */
  #writesBefore({ name }: GuardedCall): number {
    const effect = this.#effectOf(name)
    if (effect === 'read') return this.#possibleWrites
    return effect === undefined ? this.#writes : 0
  }

  /** As plain data, for a run that pauses: with what was said it is all that is known here. */
  toJSON(): readonly string[] {
    return this.#counted
  }

  /** Of a run that goes on: what was said in it, and which of its calls count. */
  restore(counted: readonly string[], messages: readonly Message[]): void {
    const calls = new Map<string, GuardedCall>()
    const results = new Map<string, ToolMessage>()
    for (const message of messages) {
      if (message.role === 'assistant') for (const raw of message.toolCalls ?? []) calls.set(raw.id, raw)
      if (message.role === 'tool') results.set(message.callId, message)
    }
    for (const callId of counted) {
      const call = calls.get(callId)
      const result = results.get(callId)
      if (call !== undefined && result !== undefined) this.note(call, toObservation(result))
    }
  }
}

function toObservation({ callId, name, content, isError = false }: ToolMessage): Observation {
  return { callId, name, ok: !isError, text: content }
}

/** A model that repeats a call repeats it to the letter. */
function keyOf({ name, arguments: text }: GuardedCall): string {
  return `${name} ${text}`
}
