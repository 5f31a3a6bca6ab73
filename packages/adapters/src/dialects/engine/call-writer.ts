/** What a reader says about calls, as deltas: each is started once, and ended once or taken back. */
import type { CallTag, LMDelta } from '../../protocol/protocol.ts'
import type { ToolTable } from './tool-table.ts'

export interface StartedCall {
  readonly name: string
  /** What the model wrote as its id; minted where it is missing or taken. */
  readonly id?: string | undefined
  /** What the text of the arguments needs at its end, when the call is cut off. */
  readonly closing?: (() => string) | undefined
}

export class CallWriter {
  /** How many calls were ended, cut ones included. */
  ended = 0
  /** Of the open call: whether all of its arguments have been told. */
  isWhole = false
  /** Of the open call: all of its arguments, where they are not what the pieces make. */
  replacement: string | undefined
  readonly #report: (delta: LMDelta) => void
  readonly #tools: ToolTable
  readonly #textOf: () => string
  readonly #ids = new Set<string>()
  #next = 0
  /** Of the ids that are counted, all before it are taken. */
  #free = 0
  #open: StartedCall | undefined
  #tags: CallTag[] = []
  /** The name of the open call is a piece of broken syntax: nothing is told of it but that it can't be read. */
  #isBroken = false

  /** @param textOf What has come of the open call. */
  constructor(report: (delta: LMDelta) => void, tools: ToolTable, textOf: () => string) {
    this.#report = report
    this.#tools = tools
    this.#textOf = textOf
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** A call that is still open has ended. */
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

  /** The next piece of the text of its arguments. */
  write(text: string): void {
    if (text !== '' && !this.#isBroken) this.#report({ type: 'arguments', index: this.#next, text })
  }

  /** How the open call differs from what its dialect asks for. */
  tag(tag: CallTag): void {
    if (!this.#tags.includes(tag)) this.#tags.push(tag)
  }

  /** A call that is not whole is closed, and says that it was cut off. */
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

  /** The open call was none. Its index is not used again. */
  takeBack(text: string): void {
    if (this.#isBroken) this.unread(text)
    else this.#report({ type: 'malformed_call', index: this.#next++, text })
    this.#open = undefined
    this.#isBroken = false
  }

  /** Text that was meant as a call, for which none was started. */
  unread(text: string): void {
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
