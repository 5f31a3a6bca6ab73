/** The state of a list that is being read: whether its elements are calls or data, and which calls name undeclared tools. */
import type { BlockContext } from '../../engine/block.ts'
import { leaveMalformed } from '../../engine/block.ts'
import type { BareCall, ValueOutcome } from './bare-call.ts'

/** Maximum number of elements that may be calls without a name. A list with more of them is data. */
const MOST_NAMELESS = 8

export class BareList {
  /** True if an element was data and no call preceded it. The whole list is then data. */
  isData = false
  readonly #context: BlockContext
  readonly #endedBefore: number
  /** Calls to undeclared tools. They are reported if another element is a call. */
  #strange: BareCall[] = []
  /** Text of the elements that may be calls without a name. They are reported if another element is a call. */
  #nameless: string[] = []

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
  pass(element: BareCall, textOf: () => string): void {
    const mayBeNameless = !this.isCalls && this.#nameless.length < MOST_NAMELESS
    if (mayBeNameless && element.isNameless) this.#nameless.push(textOf())
    else if (element.strange === undefined || !element.hasArguments) this.passOther()
    else this.#strange.push(element)
    if (this.isCalls) this.reportUnreadable()
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
    if (this.#strange.length + this.#nameless.length > 0 && calls.isOpen) calls.end()
    this.reportUnreadable()
    return 'call'
  }

  reportUnreadable(): void {
    const { calls } = this.#context
    for (const text of this.#nameless.splice(0)) calls.reportMalformed(text)
    for (const { strange, text } of this.#strange.splice(0)) {
      const name = strange as string
      calls.start({ name })
      calls.takeBack(`{"name": ${JSON.stringify(name)}, "arguments": ${text}}`)
    }
  }
}
