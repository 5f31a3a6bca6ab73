/** Tracks an object that may be a call. In bare JSON, only its content decides. */
import { readArguments } from '../../../arguments/parse.ts'
import { argumentStream } from '../../../arguments/stream.ts'
import { isRecord } from '../../../is-record.ts'
import type { BlockContext } from '../../engine/block.ts'
import { declaredTypes, propertyOf } from '../../engine/declared-types.ts'
import type { JsonScanner } from '../../engine/json-scanner.ts'

/** `call`: it is open, and whole. `malformed`: meant as one, and not readable. `cut`: the same, since the text ended. `none`: data. */
export type Verdict = 'call' | 'malformed' | 'cut' | 'none'

/** `broken`: invalid JSON from some position on, and taken up to there. */
export type ValueOutcome = Verdict | 'broken'

export class BareCall {
  /** The first name of a tool that may be called. */
  name: string | undefined
  id: string | undefined
  /** The name of a tool that may not be called. */
  strange: string | undefined
  /** Whether it has been JSON without a mistake. */
  isStrict = true
  hasArguments = false
  /** All of the arguments have come. */
  hasAll = false
  /** What a list in it turned out to be, if that is not data. */
  inner: ValueOutcome | undefined
  /** A description: then it may be a tool that was only quoted. */
  isDescribed = false
  /** It is inside an object with other data. */
  isSpoilt = false
  /** A key that no call has. */
  hasOthers = false
  readonly #context: BlockContext
  /** Something besides its content marks it as a call: a marker before it, or the name of a tool. */
  readonly #isCertain: boolean
  /** The text of each member, where the object may be the arguments of the only tool. */
  readonly #members: Map<string, string> | undefined
  #pieces: string[] = []
  #isStarted = false

  constructor(context: BlockContext, isMarked: boolean, isWhole: boolean) {
    const { tools } = context
    this.#context = context
    this.#isCertain = isMarked || !tools.isOpen
    if (isWhole && !tools.isOpen && tools.names.length === 1) this.#members = new Map()
  }

  /** The arguments as they were written. */
  get text(): string {
    return this.#pieces.join('')
  }

  setName(name: string): void {
    const { tools, policy } = this.#context
    if (policy.unknownTool === 'call' || tools.has(name)) this.name ??= name
    else this.strange ??= name
  }

  setMember(key: string, raw: string): void {
    this.#members?.set(key, raw)
  }

  /** They start as an object; anything else is reported at its end. */
  stream(scanner: JsonScanner): void {
    if (this.name !== undefined && !this.isDescribed) this.#start(() => scanner.closing)
  }

  readonly write = (text: string): void => {
    this.#pieces.push(text)
    if (this.#isStarted) this.#context.calls.write(text)
  }

  /** @param end How the object ended. */
  judge(end: 'done' | 'cut' | 'broken'): Verdict {
    const { policy } = this.#context
    if (this.name === undefined) return end === 'done' ? this.#judgeMembers() : 'none'
    if (!this.#isCertain && (end !== 'done' || !this.isStrict)) return 'none'
    if (this.hasAll) return this.#judgeArguments(end)
    if (end === 'cut') return this.#cut()
    if (end === 'broken') return this.hasArguments ? 'malformed' : 'none'
    if (!this.#isCertain || this.hasArguments || this.hasOthers || this.isDescribed) return 'none'
    return policy.missingArguments === 'empty' ? this.#tell('{}') : 'none'
  }

  /** Where a cut call is wanted, it has what of its arguments is there: no half of a key or of a number. */
  #cut(): Verdict {
    if (!this.#isStarted || this.#context.policy.unfinished !== 'cut') return 'cut'
    const stream = argumentStream()
    stream.push(this.text)
    this.#context.calls.replacement = JSON.stringify(stream.value)
    return 'cut'
  }

  #judgeArguments(end: 'done' | 'cut' | 'broken'): Verdict {
    // In OpenAI's form arguments are text, and without any it is empty.
    const text = this.text === '""' ? '{}' : this.text
    const parsed = readArguments(text)
    if (!parsed.ok) return this.#isCertain ? 'malformed' : 'none'
    // A tool that is shown as it was declared.
    if (this.isDescribed && isRecord(parsed.value.properties)) return 'none'
    // It has no end marker: without its last bracket it is not whole.
    if (end === 'cut' && this.#context.policy.unfinished !== 'cut') return 'cut'
    const verdict = this.#tell(text)
    if (end === 'cut') this.#context.calls.tag('missing_end')
    return verdict
  }

  /** The object itself may be the arguments, if there is only one tool and its schema matches. */
  #judgeMembers(): Verdict {
    const [name] = this.#context.tools.names
    const schema = name === undefined ? undefined : this.#context.tools.argsOf(name)
    if (!this.isStrict || this.#members === undefined || !fits(schema, this.#members)) return 'none'
    // In prose it is an example, or an answer.
    if (this.#context.hasText) return 'none'
    this.name = name
    const verdict = this.#tell(`{${[...this.#members].map(([key, raw]) => `${JSON.stringify(key)}: ${raw}`).join(', ')}}`)
    this.#context.calls.tag('repaired')
    return verdict
  }

  #tell(text: string): Verdict {
    const { calls } = this.#context
    if (!this.#isStarted) {
      this.#start()
      calls.write(text)
    }
    calls.isWhole = true
    return 'call'
  }

  #start(closing?: () => string): void {
    this.#isStarted = true
    this.#context.calls.start({ name: this.name as string, id: this.id, closing })
  }
}

/** Every member is declared and of its type, and nothing that is required is missing. */
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
