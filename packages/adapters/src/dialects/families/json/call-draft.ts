/** Tracks a call while its object is being read. The call is reported once its name and the start of its arguments are known. */
import type { BlockContext } from '../../engine/block.ts'
import type { JsonScanner } from '../../engine/json-scanner.ts'

export class CallDraft {
  name: string | undefined
  id: string | undefined
  /** True if the name is the key of the arguments: `{"get_weather": {"city": "Oslo"}}`. */
  isKeyed = false
  hasArguments = false
  /** True if the arguments are complete, possibly after adding missing brackets. */
  hasAll = false
  /**
   * True if the object has an unknown key. Without arguments, the call is then malformed, because the key may be one of its
   * arguments.
   */
  hasUnknown = false
  /** True if the name or the arguments are repeated, or if the object is malformed after the arguments. */
  isRepaired = false
  /** True if the braces of the object are doubled. */
  isDoubled = false
  /** True if a list in the object contains a call that the policy treats as text. */
  holdsText = false
  readonly #context: BlockContext
  /** Argument text that arrived before the name. */
  #text = ''
  #scanner: JsonScanner | undefined
  #isStarted = false

  constructor(context: BlockContext) {
    this.#context = context
  }

  /** Sets the name. Returns false if the call already has a different name. The new one may belong to another call. */
  setName(name: string | undefined): boolean {
    if (this.isKeyed) return true
    if (this.name === undefined) this.name = name
    else if (this.name !== name) return this.#spoil()
    else this.isRepaired = true
    return true
  }

  /** Returns true if the value of an unknown key is a tool name. It is then the rest of another call. */
  isSecondName(key: string, text: string | undefined): boolean {
    const { tools } = this.#context
    if (text === undefined || tools.isOpen || !tools.has(text)) return false
    return !(text === this.name && NAME_KEYS.includes(key)) && !this.#spoil()
  }

  /** Handles repeated arguments. Returns false if they differ from the first ones. */
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

  /** Ends the arguments here and adds the missing brackets. */
  close(scanner: JsonScanner): void {
    this.write(scanner.closing)
    if (this.#isStarted) this.#context.calls.tag('repaired')
  }

  /** True if the tool isn't declared and the policy treats such a call as text, or if the object contains such a call. */
  get isText(): boolean {
    return this.holdsText || (this.name !== undefined && !this.#isTool())
  }

  /** Reports the call if it is complete. Returns whether it is. */
  finish(isWhole: boolean): boolean {
    const { calls, policy } = this.#context
    const isNone = this.hasUnknown || policy.missingArguments === 'malformed'
    if (this.hasArguments ? !this.hasAll : !isWhole || isNone) return false
    if (!this.#isStarted) {
      if (!this.#isTool()) return false
      this.#start()
      calls.write(this.hasArguments ? this.#text : '{}')
    }
    if (this.isRepaired || this.isDoubled) calls.tag('repaired')
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

/** Keys under which models repeat the name of a call. */
const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action', 'type']
const NO_ARGUMENTS = /^(?:\{\s*\}|null|"")$/
