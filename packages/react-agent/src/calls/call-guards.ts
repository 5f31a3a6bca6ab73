/** Detects calls that make no progress: identical calls with identical results, and calls to a tool that keeps failing. */
import type { Message, Observation, RawToolCall, ToolMessage } from '@x/adapters'
import { declaresWrite, type Effect } from '@x/tool-core'
import type { RefusalReason } from '../loop/outcome.ts'
import { effectOf, type RunTools } from '../nested/allowed-tools.ts'
import { failingTool, repeatedCall } from '../prompts.ts'
import { innerCall } from '../tools/call-tool.ts'
import { callKey, type WrittenCall } from './call-key.ts'

export interface CallGuardOptions {
  /** Maximum number of identical results for an identical call before it is refused. */
  readonly maxRepeats: number
  /** Maximum number of consecutive failures of a tool before its calls are refused. */
  readonly maxToolFailures: number
}

/** Why a call isn't run, and the message for the model. */
export interface Refusal {
  readonly reason: RefusalReason
  readonly message: string
}

/** Keeps the results of a run's calls. Its decisions depend only on these results, so a replayed run makes the same decisions. */
export class CallGuards {
  readonly #options: CallGuardOptions
  readonly #repeats = new Map<string, { readonly text: string; readonly count: number; readonly writes: number }>()
  /** Noted calls that aren't in `#repeats` yet. They are compared only when two results are equal, which is rare. */
  readonly #noted: { readonly call: WrittenCall; readonly text: string; readonly writes: number }[] = []
  readonly #texts = new Set<string>()
  /**
   * A number for each image or file in the results, by its URL or base64. The keys are the strings in the messages, so they need no extra
   * memory.
   */
  readonly #media = new Map<string, number>()
  readonly #writes = new WriteCount()
  /** The highest count of any call. While it is below `maxRepeats`, no calls have to be compared. */
  #mostRepeats = 1
  readonly #failures = new Map<string, number>()
  /** Ids of the calls passed to `note`, in that order. */
  readonly #counted: string[] = []

  constructor(options: CallGuardOptions) {
    this.#options = options
  }

  get maxRepeats(): number {
    return this.#options.maxRepeats
  }

  /**
   * Returns a refusal if the call must not run. `effect` is the effect of the call, as returned by `effectOf`. `isChanged` is true if an
   * earlier call of the same turn may change its result.
   */
  refuse(call: WrittenCall, effect: Effect | undefined, isChanged = false): Refusal | undefined {
    const { maxRepeats, maxToolFailures } = this.#options
    const failures = this.#failures.get(call.name) ?? 0
    if (failures >= maxToolFailures) return { reason: 'failing_tool', message: failingTool(call.name, failures) }
    if (isChanged || this.#mostRepeats < maxRepeats) return undefined
    const count = this.#repeatsOf(call, effect)?.count ?? 0
    return count < maxRepeats ? undefined : { reason: 'repeated_call', message: repeatedCall(count) }
  }

  /** Records the result of a call that was run. `text` is the complete text of the result. */
  note(call: WrittenCall, effect: Effect | undefined, observation: Pick<Observation, 'callId' | 'ok' | 'text' | 'parts'>): void {
    const { callId, ok } = observation
    const text = this.#textOf(observation)
    const writes = this.#writes.before(effect)
    this.#counted.push(callId)
    if (!ok) this.#failures.set(call.name, (this.#failures.get(call.name) ?? 0) + 1)
    else if (this.#failures.size > 0) this.#failures.delete(call.name)
    this.#noted.push({ call, text, writes })
    if (this.#texts.has(text)) this.#compare()
    else this.#texts.add(text)
    this.#writes.add(effect)
  }

  /** Returns the text of a result, with a unique number for each image or file. */
  #textOf({ text, parts }: Pick<Observation, 'text' | 'parts'>): string {
    if (parts === undefined) return text
    const numbers = parts.map((part) => {
      if (part.type === 'text') return ''
      const source = 'url' in part.source ? part.source.url : part.source.base64
      if (!this.#media.has(source)) this.#media.set(source, this.#media.size)
      return this.#media.get(source)
    })
    return `${text}\n${numbers.join()}`
  }

  #compare(): void {
    for (const { call, text, writes } of this.#noted.splice(0)) {
      const key = callKey(call)
      const before = this.#repeats.get(key)
      const count = before?.text === text && before.writes === writes ? before.count + 1 : 1
      this.#repeats.set(key, { text, count, writes })
      this.#mostRepeats = Math.max(this.#mostRepeats, count)
    }
  }

  /** Returns the repeats of a call. Returns undefined if a call made since then may have changed its result. */
  #repeatsOf(call: WrittenCall, effect: Effect | undefined) {
    this.#compare()
    const repeats = this.#repeats.get(callKey(call))
    return repeats?.writes === this.#writes.before(effect) ? repeats : undefined
  }

  /** Returns plain data for a paused run. `restore` also needs the messages. */
  toJSON(): readonly string[] {
    return this.#counted
  }

  /** Restores the state of a resumed run. `whole` contains the complete text of long results, by call id. */
  restore(
    counted: readonly string[],
    messages: readonly Message[],
    whole: Readonly<Record<string, string>>,
    { tools, searchTool }: RunTools,
  ): void {
    const toCall = (raw: RawToolCall) => (searchTool === undefined ? raw : innerCall(raw))
    const calls = new Map<string, WrittenCall>()
    const results = new Map<string, ToolMessage>()
    for (const message of messages) {
      if (message.role === 'assistant') for (const raw of message.toolCalls ?? []) calls.set(raw.id, toCall(raw))
      if (message.role === 'tool') results.set(message.callId, message)
    }
    for (const callId of counted) {
      const call = calls.get(callId)
      const result = results.get(callId)
      if (call === undefined || result === undefined) continue
      const { content, parts, isError = false } = result
      const text = Object.hasOwn(whole, callId) ? (whole[callId] as string) : content
      this.note(call, effectOf(tools.get(call.name), { tools, searchTool }), { callId, ok: !isError, text, parts })
    }
  }
}

/** Counts calls that may have changed what a later call returns. */
export class WriteCount {
  /** Number of calls to tools that declare `write` or `destructive`. */
  #writes = 0
  /** Number of calls counted in `#writes`, plus calls to tools that declare `idempotent`. */
  #declared = 0
  /** Number of calls counted in `#declared`, plus calls to tools that don't declare an effect. */
  #possible = 0

  add(effect: Effect | undefined): void {
    if (effect === 'read') return
    this.#possible++
    if (effect !== undefined) this.#declared++
    if (declaresWrite(effect)) this.#writes++
  }

  /**
   * Returns the number of calls so far that may have changed what a tool with this effect returns. Always 0 for a write: otherwise, two
   * tools that write could repeat their calls forever.
   */
  before(effect: Effect | undefined): number {
    if (effect === 'read') return this.#possible
    if (effect === 'idempotent') return this.#writes
    return effect === undefined ? this.#declared : 0
  }
}
