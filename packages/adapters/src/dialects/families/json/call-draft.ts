/** Tracks a call while its object is read. The call is reported once its name and the start of its arguments are known. */
import type { BlockContext } from '../../engine/block.ts'
import type { JsonScanner } from '../../engine/json-scanner.ts'

export class CallDraft {
  name: string | undefined
  id: string | undefined
  /** True if its name is the key of its arguments. */
  isKeyed = false
  hasArguments = false
  /** True if the arguments are complete, or were closed. */
  hasAll = false
  /** True if an unknown key has a value, which becomes the arguments if there are no others. */
  hasUnknown = false
  /** True if its name or its arguments are written twice. */
  isRepaired = false
  /** True if a list in it contains a call that is treated as text. */
  holdsText = false
  readonly #context: BlockContext
  /** The text of the arguments while the name isn't known yet. */
  #text = ''
  #scanner: JsonScanner | undefined
  #isStarted = false

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** Returns false if the call already has a different name, because this may be another call. */
  setName(name: string | undefined): boolean {
    if (this.isKeyed) return true
    if (this.name === undefined) this.name = name
    else if (this.name !== name) return this.#spoil()
    else this.isRepaired = true
    return true
  }

  /** True if the value of an unknown key names a tool: what is left of the next call, of which this one is then a part. */
  isSecondName(key: string, text: string | undefined): boolean {
    const { tools } = this.#context
    if (text === undefined || tools.isOpen || !tools.has(text)) return false
    return !(text === this.name && NAME_KEYS.includes(key)) && !this.#spoil()
  }

  /** Returns false for repeated arguments that differ. */
  addAgain(raw: string): boolean {
    this.isRepaired = true
    const written = this.#isStarted ? this.#context.calls.written : this.#text
    return raw === written || NO_ARGUMENTS.test(raw) || this.#spoil()
  }

  #spoil(): false {
    this.hasAll = false
    return false
  }

  setKey(name: string): void {
    this.name = name
    this.isKeyed = true
  }

  /** Resets the state for the next call. */
  restart(): void {
    this.name = this.id = undefined
    this.isKeyed = this.hasArguments = this.hasAll = this.hasUnknown = this.isRepaired = this.holdsText = this.#isStarted = false
    this.#text = ''
    this.#scanner = undefined
  }

  beginArguments(scanner: JsonScanner): void {
    this.hasArguments = true
    this.#scanner = scanner
    if (this.#isTool()) this.#start()
  }

  write(text: string): void {
    if (this.#isStarted) this.#context.calls.write(text)
    else this.#text += text
  }

  /** Ends the arguments here, although brackets are missing. */
  close(scanner: JsonScanner): void {
    this.write(scanner.closing)
    if (this.#isStarted) this.#context.calls.tag('repaired')
  }

  /** True if the called tool is not in the request and the policy treats the call as text. */
  get isText(): boolean {
    return this.holdsText || (this.name !== undefined && !this.#isTool())
  }

  /** Reports the call if it is complete, and returns whether it is. */
  finish(isWhole: boolean): boolean {
    const { calls, policy } = this.#context
    const isNone = this.hasUnknown || policy.missingArguments === 'malformed'
    if (this.hasArguments ? !this.hasAll : !isWhole || isNone) return false
    if (!this.#isStarted) {
      if (!this.#isTool()) return false
      this.#start()
      calls.write(this.hasArguments ? this.#text : '{}')
    }
    if (this.isRepaired) calls.tag('repaired')
    calls.isWhole = true
    return true
  }

  #isTool(): boolean {
    const { tools, policy } = this.#context
    return this.name !== undefined && (policy.unknownTool === 'call' || tools.has(this.name))
  }

  #start(): void {
    this.#isStarted = true
    this.#context.calls.start({ name: this.name as string, id: this.id, reader: this.#scanner })
  }
}

/** Keys that models write for the name of a call, beside it. */
const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action', 'type']
const NO_ARGUMENTS = /^(?:\{\s*\}|null|"")$/
