/** Reports a reader's calls as deltas: each call is started once, and ended or withdrawn once. */
import type { CallTag, LMDelta } from '../../protocol/protocol.ts'
import type { ToolTable } from './tool-table.ts'

export interface StartedCall {
  readonly name: string
  /** The id that the model wrote; generated if it is missing or taken. */
  readonly id?: string | undefined
  /** The text that would complete the arguments, if the call is truncated. */
  readonly closing?: (() => string) | undefined
}

export class CallWriter {
  /** Number of calls that ended, including truncated ones. */
  ended = 0
  /** True once all arguments of the open call have been written. */
  isWhole = false
  /** All arguments of the open call, if they differ from the pieces. */
  replacement: string | undefined
  readonly #report: (delta: LMDelta) => void
  readonly #tools: ToolTable
  readonly #textOf: () => string
  readonly #ids = new Set<string>()
  #next = 0
  /** All generated ids before this number are taken. */
  #free = 0
  #open: StartedCall | undefined
  #tags: CallTag[] = []
  /** True if the name of the open call is broken syntax, so that the call is only reported as malformed. */
  #isBroken = false

  /** @param textOf Returns the text of the open call so far. */
  constructor(report: (delta: LMDelta) => void, tools: ToolTable, textOf: () => string) {
    this.#report = report
    this.#tools = tools
    this.#textOf = textOf
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Ends a call that is still open. */
  start(call: StartedCall): void {
    if (this.isOpen) this.end()
    this.#open = call
    this.isWhole = false
    this.replacement = undefined
    this.#tags = this.#tools.has(call.name) ? [] : ['unknown_tool']
    this.#isBroken = this.#tools.isBroken(call.name)
    if (this.#isBroken) return
    this.#report({ type: 'call_start', index: this.#next, id: this.#toId(call.id), name: call.name })
  }

  /** Writes the next piece of its arguments. */
  write(text: string): void {
    if (text !== '' && !this.#isBroken) this.#report({ type: 'arguments', index: this.#next, text })
  }

  /** Tags how the open call deviates from its dialect. */
  tag(tag: CallTag): void {
    if (!this.#tags.includes(tag)) this.#tags.push(tag)
  }

  /** Ends the call. An incomplete call is closed and marked as truncated. */
  end(truncated = false): void {
    if (truncated && !this.isWhole) this.write(this.#open?.closing?.() ?? '')
    const tags = this.#tags
    if (this.#isBroken) this.takeBack(this.#textOf())
    else
      this.#report({
        type: 'call_end',
        index: this.#next++,
        ...(this.replacement !== undefined && { arguments: this.replacement }),
        ...(truncated && { truncated }),
        ...(tags.length > 0 && { tags }),
      })
    this.#open = undefined
    this.ended++
  }

  /** Withdraws the open call. Its index isn't reused. */
  takeBack(text: string): void {
    if (this.#isBroken) this.reportMalformed(text)
    else this.#report({ type: 'malformed_call', index: this.#next++, text })
    this.#open = undefined
    this.#isBroken = false
  }

  /** Reports text meant as a call that wasn't started. */
  reportMalformed(text: string): void {
    this.#report({ type: 'malformed_call', text })
  }

  #toId(written: string | undefined): string {
    let id = written
    if (id === undefined || id === '' || this.#ids.has(id)) {
      this.#free = Math.max(this.#free, this.#next)
      do id = `call_${this.#free++}`
      while (this.#ids.has(id))
    }
    this.#ids.add(id)
    return id
  }
}
