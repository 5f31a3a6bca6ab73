/** Reports calls as deltas. Each call is started once, and either ended or withdrawn once. */

import { recoverJson } from '../../arguments/recover.ts'
import { isRecord } from '../../is-record.ts'
import type { CallTag, LMDelta } from '../../protocol/protocol.ts'
import type { ToolTable } from './tool-table.ts'

/** Tags of calls that may lack part of their text. */
const DEVIATIONS: readonly CallTag[] = ['repaired', 'missing_end', 'repeated_parameter']

export interface StartedCall {
  readonly name: string
  /** Id that the model wrote. If it is missing or already used, one is generated. */
  readonly id?: string | undefined
  readonly reader?: ArgumentReader | undefined
}

export interface ArgumentReader {
  /** The text that would complete the arguments of a truncated call. */
  readonly closing: string
  /** The keys of the arguments. Undefined unless brackets, quotes, commas and colons are in the same places as in JSON. */
  readonly keys?: readonly string[] | undefined
}

export class CallWriter {
  /** Number of calls that ended, including truncated ones. */
  ended = 0
  /** True once all arguments of the open call have been written. */
  isWhole = false
  /** The complete arguments of the open call, if they differ from the emitted pieces. */
  replacement: string | undefined
  /**
   * True if the open call's arguments are known to be valid JSON without repeated keys, because an `ArgumentsWriter` wrote them.
   */
  isValid = false
  /** The argument text of the open call so far. */
  written = ''
  readonly #report: (delta: LMDelta) => void
  readonly #tools: ToolTable
  readonly #textOf: () => string
  readonly #ids = new Set<string>()
  #next = 0
  /** Generated ids below this number are taken. */
  #free = 0
  #open: StartedCall | undefined
  #tags: CallTag[] = []
  /** True if the open call's name contains broken syntax. The call is then only reported as malformed. */
  #isBroken = false
  /** True if the open call turned out to be invalid after its start was emitted. */
  #isSpoilt = false
  /** True if a parameter of the open call may be missing from the text. */
  #isDoubtful = false

  /** Creates a writer. `textOf` returns the text of the open call so far. */
  constructor(report: (delta: LMDelta) => void, tools: ToolTable, textOf: () => string) {
    this.#report = report
    this.#tools = tools
    this.#textOf = textOf
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Starts a call. Ends the previous call first if it is still open. */
  start(call: StartedCall): void {
    if (this.isOpen) this.end()
    this.#open = call
    this.isWhole = this.isValid = false
    this.replacement = undefined
    this.written = ''
    this.#isSpoilt = this.#isDoubtful = false
    this.#tags = this.#tools.has(call.name) ? [] : ['unknown_tool']
    this.#isBroken = this.#tools.isBroken(call.name)
    if (this.#isBroken) return
    this.#report({ type: 'call_start', index: this.#next, id: this.#toId(call.id), name: call.name })
  }

  /** Writes the next piece of the open call's arguments. */
  write(text: string): void {
    this.written += text
    if (text !== '' && !this.#isBroken) this.#report({ type: 'arguments', index: this.#next, text })
  }

  /** Adds a tag to the open call, because it deviates from its dialect. */
  tag(tag: CallTag): void {
    if (!this.#tags.includes(tag)) this.#tags.push(tag)
  }

  /** Marks the open call as invalid, so that `end` withdraws it. */
  spoil(): void {
    this.#isSpoilt = true
  }

  /**
   * Records that a tag or delimiter of the open call is broken. `end` withdraws the call if a declared parameter is also missing.
   */
  doubt(): void {
    this.tag('repaired')
    this.#isDoubtful = true
  }

  /** Ends the call. An incomplete call is closed and marked as truncated. */
  end(truncated = false): void {
    if (truncated && !this.isWhole) this.write(this.#open?.reader?.closing ?? '')
    const tags = this.#tags
    if (this.#isBroken || this.#isSpoilt || (!truncated && this.#isMixedUp())) this.takeBack(this.#textOf())
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

  /**
   * Returns true if the call may be a mixture of two calls, because it deviates from the dialect and has an undeclared key. Also
   * returns true if one parameter's value may contain another parameter, because a tag or delimiter is broken and a declared
   * parameter is missing. Each of these faults alone is accepted.
   */
  #isMixedUp(): boolean {
    if (this.#open === undefined || this.#tools.isOpen) return false
    const { name, reader } = this.#open
    const isAsExpected = !this.#isDoubtful && !this.#tags.some((tag) => DEVIATIONS.includes(tag))
    if (isAsExpected && (this.isValid || (reader?.keys && !this.#tools.hasOthers(name, reader.keys)))) return false
    const args = recoverJson(this.replacement ?? this.written)
    if (!args.ok || !isRecord(args.value)) return false
    const keys = Object.keys(args.value)
    const isOdd = !isAsExpected || args.tags.length > 0
    const isDoubtful = this.#isDoubtful || args.tags.includes('wrong_close')
    return (isOdd && this.#tools.hasOthers(name, keys)) || (isDoubtful && !this.#tools.hasAll(name, keys))
  }

  /** Withdraws the open call. Its index isn't used again. */
  takeBack(text: string): void {
    if (this.#isBroken) this.reportMalformed(text)
    else this.#report({ type: 'malformed_call', index: this.#next++, text })
    this.#open = undefined
    this.#isBroken = false
  }

  /** Reports text that was meant as a call but for which no call was started. */
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
