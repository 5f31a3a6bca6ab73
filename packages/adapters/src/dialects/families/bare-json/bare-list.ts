/** What is known of a list while it is read: whether its elements are calls or data, and which calls are of no tool. */
import type { BlockContext } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import type { BareCall, ValueOutcome } from './bare-call.ts'

export class BareList {
  /** An element was data before one was a call: then all of it is data. */
  isData = false
  readonly #context: BlockContext
  readonly #told: number
  /** Calls of undeclared tools. They are kept if other elements are calls. */
  #strange: BareCall[] = []

  constructor(context: BlockContext) {
    this.#context = context
    this.#told = context.calls.ended
  }

  get isCalls(): boolean {
    return this.#context.calls.isOpen || this.hasCall
  }

  /** A call in it has ended. */
  get hasCall(): boolean {
    return this.#context.calls.ended > this.#told
  }

  /** An element that isn't a call. */
  pass(element: BareCall): void {
    if (element.strange === undefined || !element.hasArguments) this.passOther()
    else this.#strange.push(element)
    if (this.isCalls) this.tellStrange()
  }

  /** Data, or, behind a call, one that can't be read. */
  passOther(): void {
    if (this.hasCall) leaveMalformed(this.#context)
    else this.isData = !this.isCalls
  }

  end(end: 'done' | 'cut' | 'broken'): ValueOutcome {
    const { calls, policy } = this.#context
    if (!this.isCalls) {
      if (end === 'cut' && this.#strange.length > 0) return 'cut'
      return end === 'broken' ? 'broken' : 'none'
    }
    if (end !== 'done' && calls.isOpen) {
      if (end === 'cut' && policy.unfinished === 'never') return 'cut'
      calls.tag('missing_end')
    }
    if (this.#strange.length > 0 && calls.isOpen) calls.end()
    this.tellStrange()
    return 'call'
  }

  tellStrange(): void {
    const { calls } = this.#context
    for (const { strange, text } of this.#strange.splice(0)) {
      const name = strange as string
      calls.start({ name })
      calls.takeBack(`{"name": ${JSON.stringify(name)}, "arguments": ${text}}`)
    }
  }
}
