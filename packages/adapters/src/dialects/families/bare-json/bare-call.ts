/** Tracks an object in bare JSON that may be a call. Whether it is one depends only on its content. */

import { readArguments } from '../../../arguments/parse.ts'
import { recoverJson } from '../../../arguments/recover.ts'
import { argumentStream } from '../../../arguments/stream.ts'
import { isRecord } from '../../../is-record.ts'
import type { BlockContext } from '../../engine/block.ts'
import { declaredTypes, propertyOf } from '../../engine/declared-types.ts'
import type { JsonScanner } from '../../engine/json-scanner.ts'

/**
 * What the object is. `call`: a complete call, which is left open. `malformed`: a malformed call. `cut`: a truncated call.
 * `none`: data.
 */
export type Verdict = 'call' | 'malformed' | 'cut' | 'none'

/** How reading a value ended. `broken`: the JSON is invalid and was consumed up to the error. */
export type ValueOutcome = Verdict | 'broken'

export class BareCall {
  /** Name of the tool: the first name in the object that counts as a tool. */
  name: string | undefined
  id: string | undefined
  /**
   * The first name that doesn't count as a tool: no such tool is declared, and the policy treats calls to undeclared tools as
   * text.
   */
  strange: string | undefined
  /** True while the object is valid JSON. */
  isStrict = true
  hasArguments = false
  /** True once all of the arguments have arrived. */
  hasAll = false
  /** How a list inside the object was read. Undefined if the list is data. */
  inner: ValueOutcome | undefined
  /** True if the object contains a description, so that it may be a tool definition. */
  isDescribed = false
  /** True if the object can't be a call, because it contains other data next to a wrapped call, or a second tool name. */
  isSpoilt = false
  /** True if the object contains a key that calls don't have. */
  hasOthers = false
  /**
   * The first two values under keys that calls don't have. If there is only one, it may be the name or the arguments, under a
   * broken key.
   */
  readonly others: string[] = []
  readonly #context: BlockContext
  /** True if more than the object's content shows that it is a call: a marker before it, or names of declared tools. */
  readonly #isCertain: boolean
  /** JSON of each member. Kept if the whole object may be the arguments of the only tool. */
  readonly #members: Map<string, string> | undefined
  #pieces: string[] = []
  #isStarted = false

  constructor(context: BlockContext, isMarked: boolean, isWhole: boolean) {
    const { tools } = context
    this.#context = context
    this.#isCertain = isMarked || !tools.isOpen
    if (isWhole && !tools.isOpen && tools.names.length === 1) this.#members = new Map()
  }

  /** The arguments as the model wrote them. */
  get text(): string {
    return this.#pieces.join('')
  }

  setName(name: string): void {
    const { tools, policy } = this.#context
    if (policy.unknownTool === 'call' || tools.has(name)) this.name ??= name
    else this.strange ??= name
  }

  /**
   * Returns true if the call has a name and this value of an unknown key is a tool name too. It is then the rest of another call.
   */
  isSecondName(text: string | undefined): boolean {
    const { tools } = this.#context
    return this.name !== undefined && text !== undefined && !tools.isOpen && tools.has(text)
  }

  /**
   * Handles repeated arguments. Returns false if they differ and the object has a tool's name, because they are then the rest of
   * another call.
   */
  addAgain(raw: string): boolean {
    if (this.name === undefined || this.isDescribed || raw === this.text || /^(?:\{\s*\}|null|"")$/.test(raw)) return true
    this.hasAll = false
    return false
  }

  setMember(key: string, raw: string): void {
    this.#members?.set(key, raw)
  }

  /**
   * Starts the call if its name is known. If the arguments are an object, they are emitted as they arrive from now on; otherwise,
   * once they are complete.
   */
  stream(scanner: JsonScanner): void {
    if (this.name !== undefined && !this.isDescribed) this.#start(scanner)
  }

  readonly write = (text: string): void => {
    this.#pieces.push(text)
    if (this.#isStarted) this.#context.calls.write(text)
  }

  /** Decides whether the object is a call. `end` states how the object ended. */
  judge(end: 'done' | 'cut' | 'broken'): Verdict {
    const { policy } = this.#context
    if (end === 'done' && this.#hasBrokenKey()) return 'malformed'
    if (this.name === undefined) return end === 'done' ? this.#judgeMembers() : 'none'
    if (!this.#isCertain && (end !== 'done' || !this.isStrict)) return 'none'
    if (this.hasAll) return this.#write(end)
    if (end === 'cut') return this.#cut()
    if (end === 'broken') return this.hasArguments ? 'malformed' : 'none'
    if (!this.#isCertain || this.hasArguments || this.hasOthers || this.isDescribed) return 'none'
    return policy.missingArguments === 'empty' ? this.#emit('{}') : 'none'
  }

  /**
   * Returns true if one of a call's two members has a broken key. Either there are arguments and the other value is a tool name,
   * or there is a name and the other value is an object with that tool's parameters.
   */
  #hasBrokenKey(): boolean {
    const { tools } = this.#context
    const [raw, ...more] = this.others
    if (tools.isOpen || raw === undefined || more.length > 0 || this.isDescribed) return false
    const read = recoverJson(raw)
    if (!read.ok || (this.name === undefined) !== this.hasArguments) return false
    if (this.name === undefined) return typeof read.value === 'string' && tools.has(read.value)
    const keys = isRecord(read.value) ? Object.keys(read.value) : []
    return keys.length > 0 && !tools.hasOthers(this.name, keys)
  }

  /** True if the object may be a call without its name: it has arguments, or a single value that may be the arguments. */
  get isNameless(): boolean {
    const { tools } = this.#context
    if (tools.isOpen || this.name !== undefined || this.strange !== undefined || this.isDescribed) return false
    const texts = this.hasArguments ? [this.text, ...this.others] : this.others
    const read = texts.length === 1 ? recoverJson(texts[0] as string) : undefined
    const keys = read?.ok && isRecord(read.value) ? Object.keys(read.value) : []
    return keys.length > 0 && keys.every((key) => tools.hasParameter(key))
  }

  /**
   * Handles a truncated call. If the policy keeps it, its arguments are the received part, without an incomplete key or number.
   */
  #cut(): Verdict {
    if (!this.#isStarted || this.#context.policy.unfinished !== 'cut') return 'cut'
    const stream = argumentStream()
    stream.push(this.text)
    this.#context.calls.replacement = JSON.stringify(stream.value)
    return 'cut'
  }

  #write(end: 'done' | 'cut' | 'broken'): Verdict {
    // In OpenAI's format, arguments are a string. It is empty for a call without arguments.
    const text = this.text === '""' ? '{}' : this.text
    const parsed = readArguments(text)
    if (!parsed.ok) return this.#isCertain ? 'malformed' : 'none'
    // The object is a tool definition that is quoted in the text.
    if (this.isDescribed && isRecord(parsed.value.properties)) return 'none'
    // There is no end marker, so an object without its last bracket is truncated.
    if (end === 'cut' && this.#context.policy.unfinished !== 'cut') return 'cut'
    const verdict = this.#emit(text)
    if (end !== 'done') this.#context.calls.tag(end === 'cut' ? 'missing_end' : 'repaired')
    return verdict
  }

  /** Accepts the whole object as arguments if there is only one tool and its schema matches. */
  #judgeMembers(): Verdict {
    const [name] = this.#context.tools.names
    const schema = name === undefined ? undefined : this.#context.tools.argsOf(name)
    if (!this.isStrict || this.#members === undefined || !fits(schema, this.#members)) return 'none'
    // If other text precedes the object, it is an example or an answer.
    if (this.#context.hasText) return 'none'
    this.name = name
    const verdict = this.#emit(`{${[...this.#members].map(([key, raw]) => `${JSON.stringify(key)}: ${raw}`).join(', ')}}`)
    this.#context.calls.tag('repaired')
    return verdict
  }

  #emit(text: string): Verdict {
    const { calls } = this.#context
    if (!this.#isStarted) {
      this.#start()
      calls.write(text)
    }
    calls.isWhole = true
    return 'call'
  }

  #start(reader?: JsonScanner): void {
    this.#isStarted = true
    this.#context.calls.start({ name: this.name as string, id: this.id, reader })
  }
}

/** Returns true if every member is declared and has its declared type, and no required member is missing. */
function fits(schema: unknown, members: ReadonlyMap<string, string>): boolean {
  if (!isRecord(schema) || !isRecord(schema.properties) || members.size === 0) return false
  const { properties, required } = schema
  if (Array.isArray(required) && required.some((key) => !members.has(key))) return false
  return [...members].every(
    ([key, raw]) => Object.hasOwn(properties, key) && isTyped(propertyOf(schema, schema, key), schema, raw),
  )
}

function isTyped(schema: unknown, root: unknown, raw: string): boolean {
  const { types } = declaredTypes(schema, root)
  if (types.size === 0) return true
  const value: unknown = JSON.parse(raw)
  if (value === null || Array.isArray(value)) return types.has(value === null ? 'null' : 'array')
  return types.has(typeof value) || (types.has('integer') && Number.isInteger(value))
}
