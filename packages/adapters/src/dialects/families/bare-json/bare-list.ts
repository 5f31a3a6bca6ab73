/** The state of a list while it is read: whether its elements are calls or data, and which calls have undeclared tools. */
import type { BlockContext } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import type { BareCall, ValueOutcome } from './bare-call.ts'

export class BareList {
  /** True if an element was data and no call came before it. The whole list is then data. */
  isData = false
  readonly #context: BlockContext
  readonly #endedBefore: number
  /** Calls to undeclared tools. They are reported if other elements are calls. */
  #strange: BareCall[] = []

  constructor(context: BlockContext) {
    this.#context = context
    this.#endedBefore = context.calls.ended
  }

  get isCalls(): boolean {
    return this.#context.calls.isOpen || this.hasCall
  }

  /** True if any call in the list has ended. */
  get hasCall(): boolean {
    return this.#context.calls.ended > this.#endedBefore
  }

  /** Handles an element that isn't a call. */
  pass(element: BareCall): void {
    if (element.strange === undefined || !element.hasArguments) this.passOther()
    else this.#strange.push(element)
    if (this.isCalls) this.tellStrange()
  }

  /** Handles an element that is data, or a malformed element after a call. */
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
