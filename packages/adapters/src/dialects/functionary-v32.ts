/** `NAME`, a line break, `{…}` and `>>>` before the next one, as Functionary 3.2 writes it; `all` is the name of its text. */
import { defineDialect } from './define-dialect.ts'
import type { Dialect, TextParser } from './dialect.ts'
import type { BlockContext, BlockOutcome } from './engine/block.ts'
import { MarkerSet } from './engine/marker.ts'
import type { Reading } from './engine/text-input.ts'
import { readJsonArguments } from './families/json-arguments.ts'
import { endBlock } from './families/json-block.ts'

const OPEN = '>>>'
const TEXT = 'all'

const grammar = defineDialect({
  name: 'functionary_v32',
  blocks: [{ open: OPEN, read: readRecipient }],
  formatCalls(calls) {
    const unsayable = calls.find(({ name }) => name === TEXT || name.length > LONGEST_NAME || !/^[^\s>][^\n>]*$/.test(name))
    if (unsayable !== undefined) {
      const rule = `1 to ${LONGEST_NAME} units, not "${TEXT}", without ">", line breaks and white space at its beginning`
      const message = `"${unsayable.name}" cannot be the name of a call here: it must be ${rule}.`
      return { ok: false, code: 'invalid_name', message }
    }
    return calls.map(({ name, json }) => `${OPEN}${name}\n${json}`).join('\n')
  },
})

/** Its prompt ends with `>>>`, so a response that begins with a name is read as if that stood before it. */
export const functionaryV32: Dialect = {
  ...grammar,
  parse: (text, options) => grammar.parse(beginsWithName(text, true) ? OPEN + text : text, options),
  streamParser: (options) => new ContinuedParser(grammar.streamParser(options)),
}

const LONGEST_NAME = 128
const END = new MarkerSet<'close'>({ close: [] })
const STOPS = new MarkerSet({ open: OPEN })

function* readRecipient(context: BlockContext): Reading<BlockOutcome> {
  const { input } = context
  const name = yield* input.takeWhile((code) => code !== 0x3e && code !== 0x0a, LONGEST_NAME)
  const next = yield* input.peek()
  if (next === '') return 'cut'
  if (next !== '\n' || !/^\S/.test(name)) return 'text'
  input.at++
  if (name === TEXT) return 'read'
  const outcome = yield* readJsonArguments(context, { name }, STOPS)
  if (outcome === 'done') return yield* endBlock(context, END)
  if (outcome !== 'broken') return outcome
  return context.calls.isOpen ? 'unread' : 'text'
}

/** Holds a response back until it is known whether it begins with a name. */
class ContinuedParser implements TextParser {
  readonly #parser: TextParser
  /** What is held back; undefined once it is known. */
  #held: string | undefined = ''

  constructor(parser: TextParser) {
    this.#parser = parser
  }

  push(text: string) {
    if (this.#held === undefined) return this.#parser.push(text)
    this.#held += text
    const isName = beginsWithName(this.#held, false)
    return isName === undefined ? [] : this.#release(isName)
  }

  end() {
    const released = this.#held === undefined ? [] : this.#release(beginsWithName(this.#held, true) === true)
    return [...released, ...this.#parser.end()]
  }

  #release(isName: boolean) {
    const held = this.#held ?? ''
    this.#held = undefined
    return this.#parser.push(isName ? OPEN + held : held)
  }
}

/** The first line is one word, and `all` or before an object; undefined while that cannot be told. */
function beginsWithName(text: string, isOver: boolean): boolean | undefined {
  const end = text.slice(0, LONGEST_NAME + 1).search(/[\s>]/)
  if (end < 0) return isOver || text.length > LONGEST_NAME ? false : undefined
  if (end === 0 || text[end] !== '\n') return false
  if (text.slice(0, end) === TEXT) return true
  if (end + 1 === text.length && !isOver) return undefined
  return text[end + 1] === '{'
}
