/**
 * Finds the remains of a broken call that lost its markers: text that names a tool or its parameters but is neither a call nor
 * data.
 */
import { isJson } from './exact-json.ts'
import { FenceTracker } from './fence-tracker.ts'
import { QuoteTracker } from './quote-tracker.ts'
import type { ToolTable } from './tool-table.ts'

/** The syntax in which a dialect writes calls. */
export type CallSyntax = 'json' | 'python'

/**
 * Returns true if the text contains the remains of a call. Ignores quotations and code fences, because they contain examples.
 * Takes linear time.
 * @param isBesideCall True if there is a call directly before or after the text. Then even a closing bracket that the text
 * doesn't open is enough.
 */
export function hasCallRemains(text: string, syntax: CallSyntax, tools: ToolTable, isBesideCall: boolean): boolean {
  if (tools.isOpen) return false
  if (isBesideCall && hasLostEnd(text, syntax)) return true
  return syntax === 'json' ? hasJsonRemains(text, tools, isBesideCall) : hasPythonRemains(text, tools)
}

/** Returns true if the first or the last line is the end of a call: words, and a closing bracket that the line doesn't open. */
function hasLostEnd(text: string, syntax: CallSyntax): boolean {
  const lines = text.trim().split('\n')
  const [open, close] = syntax === 'json' ? ['{', '}'] : ['[', ']']
  return [lines[0], lines.at(-1)].some((line = '') => {
    const isBehindValue = /[\p{L}\p{N}_"']/u.test(line.charAt(lastBut(line, ' \t\r,;)}]')))
    return isBehindValue && hasLostStart(line, open, close)
  })
}

/**
 * Four traces of a call: `", "arguments` after a name, `":` after a key, `name": "get_weather`, and `>get_weather` on a line
 * before `{`.
 */
const PARTS = /"\s*,\s*"?(?:argum|param|args|input)|"\s*:|name"?\s*:\s*"([^"\n]{1,128})|>([^\s>"{]{1,128})\n\{/g
/** Keys of a call, with or without their first characters. */
const KEY = /^(?:name|args|a?r?guments|u?ments|p?a?rameters|a?meters|e?ters)$/
/** Brackets that start JSON. In a marker such as `[TOOL_CALLS]`, a word follows the bracket. */
const START_OF_JSON = /\{|\[(?=\s{0,99}[[{"\d\]])/
/** The last character of a marker that isn't a tag. */
const END_OF_MARKER = /[\]>|#]$/
const TAG = /<[^<>]{1,99}>$/
const LONE_MARK = /^\s*>{1,3}(?=\S)/

/**
 * Returns true if the text contains the remains of a call in JSON. Valid JSON is an answer, unless a tool's name or the rest of a
 * marker precedes it.
 */
function hasJsonRemains(written: string, tools: ToolTable, isBesideCall: boolean): boolean {
  if (!written.includes('"')) return false
  const text = written.replace(LONE_MARK, '')
  const examples = new Examples(text)
  const isLost = hasLostStart(text, '{', '}')
  let json: JsonInText | undefined
  let hasKey = false
  for (const part of text.matchAll(PARTS)) {
    const [found, named, line] = part
    const isColon = found.endsWith(':')
    const before = named ?? line ?? wordBefore(text, part.index, isColon ? OF_KEY : OF_NAME)
    hasKey ||= isColon ? KEY.test(before) : line === undefined
    const isTool = !isColon && tools.has(before.trim())
    const isEnd = isColon && isLost && tools.hasParameter(before, 'end')
    const isParameter = isColon && tools.hasParameter(before)
    // A policy may treat calls to undeclared tools as text. But a partial tool name next to a call is a mistake of the model.
    const isStrange = isBesideCall && hasKey && found.startsWith('"') && !isColon && isPartOfTool(before, tools)
    if ((!isTool && !isParameter && !isEnd && !isStrange) || examples.has(part.index)) continue
    json ??= findJson(text)
    const { start, isWhole, isUnbalanced } = json
    if (isParameter && hasBrokenHead(text, part.index, isBesideCall)) return true
    if (isWhole) {
      const isBehindMarker = written !== text || endsWithMarker(text.slice(0, start), tools)
      return isBehindMarker || isStrange || (isTool && (part.index < start || text.startsWith('{"tool_calls"', start)))
    }
    if (isTool || isEnd || hasKey || isLost || (isBesideCall && isUnbalanced)) return true
  }
  return hasKey && isLost && !new Examples(text).has(text.indexOf('"'))
}

interface JsonInText {
  readonly start: number
  /** True if the text from `start` to its last bracket is valid JSON. */
  readonly isWhole: boolean
  /** True if the text opens more or fewer brackets of a kind than it closes. */
  readonly isUnbalanced: boolean
}

function findJson(text: string): JsonInText {
  const start = Math.max(0, text.search(START_OF_JSON))
  const isWhole = isJson(text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1))
  const isUnbalanced = ['{}', '[]'].some(([open = '', close = '']) => text.split(open).length !== text.split(close).length)
  return { start, isWhole, isUnbalanced }
}

/** Returns true if JSON is preceded by a marker, by a part of one, or by a tool's name alone. */
function endsWithMarker(lead: string, tools: ToolTable): boolean {
  const text = lead.trimEnd()
  const isMarker = END_OF_MARKER.test(text) && !TAG.test(text.slice(-LONGEST))
  return isMarker || PART_OF_MARKER.test(lead.slice(-LONGEST)) || isEndOfTool(text.trim(), tools)
}

/** The start of a marker without its end, directly before JSON. */
const PART_OF_MARKER = /[[<][\w|/]{1,32}$/

function isEndOfTool(text: string, tools: ToolTable): boolean {
  return text !== '' && tools.names.some((name) => name.endsWith(text))
}

function isPartOfTool(text: string, tools: ToolTable): boolean {
  return text.length > 2 && tools.names.some((name) => name !== text && (name.startsWith(text) || name.endsWith(text)))
}

/**
 * Returns true if the object with this key is the value of a broken key, as in `{"na{"city": "Oslo"}}`.
 * @param at The position after the object's first key.
 */
function hasBrokenHead(text: string, at: number, isBesideCall: boolean): boolean {
  const before = text.slice(Math.max(0, at - LONGEST), at)
  const between = HEAD.exec(before)?.[1]
  if (between === undefined) return MARKER_HEAD.test(before)
  // Templates contain doubled braces.
  return between.trim() === '' ? isBesideCall : !WHOLE_KEY.test(between)
}

const HEAD = /\{(\s*"?\w{0,12}"?\w{0,12}"?:?\s*)\{\s*"[^"\s]*$/
const MARKER_HEAD = /[[<][\w|/]{0,32}[\]>|]?\{\s*"[^"\s]*$/
const WHOLE_KEY = /^\s*(?:"\w+"|\w+)\s*:\s*$/

/** `(`, which may start the arguments of a call, and `=`, which may follow the name of an argument. */
const PYTHON_PARTS = /[(=]/g
const FIRST_KEY = /^\(\s*["']?([\w.-]+)["']?\s*=/

/** Returns true if the text ends with a call to a tool. If it closes more brackets than it opens, a single argument is enough. */
function hasPythonRemains(text: string, tools: ToolTable): boolean {
  const end = text.slice(lastBut(text, ' \n\t\r]')).charAt(0)
  if (end !== ')') return false
  const isLost = hasLostStart(text, '(', ')') || hasLostStart(text, '[', ']')
  const examples = new Examples(text)
  for (const { 0: sign, index } of text.matchAll(PYTHON_PARTS)) {
    const word = wordBefore(text, index, OF_KEY)
    const key = sign === '(' ? FIRST_KEY.exec(text.slice(index, index + LONGEST))?.[1] : undefined
    const isNamed = tools.has(word) || (word === '' && text.charAt(index - 1) === '[')
    const isCall = key !== undefined && isNamed && tools.hasParameter(key)
    const isPart = isCall || (sign === '=' && isLost && tools.hasParameter(word, 'end'))
    if (isPart && !examples.has(index)) return true
  }
  return false
}

const LONGEST = 128
const OF_KEY = /[\w$.-]/
const OF_NAME = /[^"\n:{}[\],]/

function wordBefore(text: string, end: number, of: RegExp): string {
  let at = end
  while (at > 0 && end - at < LONGEST && of.test(text.charAt(at - 1))) at--
  return text.slice(at, end)
}

/** Returns true if the text ends with a closing bracket and closes more brackets of this kind than it opens. */
function hasLostStart(text: string, open: string, close: string): boolean {
  const last = text.charAt(lastBut(text, ' \n\t\r,;'))
  return '}])'.includes(last) && text.split(close).length > text.split(open).length
}

/** Returns the position of the last character that isn't in `units`. */
function lastBut(text: string, units: string): number {
  let at = text.length - 1
  while (at > 0 && units.includes(text.charAt(at))) at--
  return at
}

/** Finds examples in a text, which are quoted or in a code fence. Pass positions in ascending order. */
class Examples {
  readonly #text: string
  readonly #fence = new FenceTracker()
  readonly #quotes = new QuoteTracker()
  #fed = 0
  /** End of the line for which `#isExample` is valid. */
  #lineEnd = -1
  #isExample = false

  constructor(text: string) {
    this.#text = text
  }

  /** Returns true if a position is part of an example. The call's own quotation marks on the same line don't count. */
  has(at: number): boolean {
    if (at <= this.#lineEnd) return this.#isExample
    const line = this.#text.lastIndexOf('\n', at - 1) + 1
    const start = line + Math.max(0, this.#text.slice(line, at).search(/["[{]|$/))
    const more = this.#text.slice(this.#fed, start)
    this.#fence.push(more)
    this.#quotes.push(more)
    this.#fed = start
    const end = this.#text.indexOf('\n', start)
    this.#lineEnd = end < 0 ? this.#text.length : end
    this.#isExample = this.#fence.isOpen || this.#quotes.isOpen(this.#fence.isOpen)
    return this.#isExample
  }
}
