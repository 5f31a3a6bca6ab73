/** Finds the remains of a broken call that lost its markers: text that names a tool or its parameters, but is neither a call nor data. */
import { isJson } from './exact-json.ts'
import { FenceTracker } from './fence-tracker.ts'
import { QuoteTracker } from './quote-tracker.ts'
import type { ToolTable } from './tool-table.ts'

/** The syntax in which a dialect writes calls. */
export type CallSyntax = 'json' | 'python'

/**
 * Returns true if the text contains the remains of a call. Ignores quotations and code fences, because they are examples. Takes linear
 * time.
 */
export function hasCallRemains(text: string, syntax: CallSyntax, tools: ToolTable): boolean {
  if (tools.isOpen) return false
  return syntax === 'json' ? hasJsonRemains(text, tools) : hasPythonRemains(text, tools)
}

/**
 * Matches four traces of a call: `", "arguments` after a name, `":` after a key, `name": "get_weather`, and `>get_weather` on a line
 * before `{`.
 */
const PARTS = /"\s*,\s*"?(?:argum|param|args|input)|"\s*:|name"?\s*:\s*"([^"\n]{1,128})|>([^\s>"{]{1,128})\n\{/g
/** Matches the keys of a call, even without their first characters. */
const KEY = /^(?:name|args|a?r?guments|u?ments|p?a?rameters|a?meters|e?ters)$/
/** Matches brackets that start JSON. In a marker, such as `[TOOL_CALLS]`, a word follows the bracket. */
const START_OF_JSON = /\{|\[(?=\s{0,99}[[{"\d\]])/
/** Matches the last character of a marker that isn't a tag. */
const END_OF_MARKER = /[\]>|#]$/
const TAG = /<[^<>]{1,99}>$/
const LONE_MARK = /^>{1,3}(?=\S)/

/**
 * Returns true if the text contains the remains of a call in JSON. Valid JSON is an answer, unless a tool's name or the rest of a marker
 * precedes the JSON.
 */
function hasJsonRemains(written: string, tools: ToolTable): boolean {
  if (!written.includes('"')) return false
  const text = written.replace(LONE_MARK, '')
  const examples = new Examples(text)
  const isLost = hasLostStart(text, '{', '}')
  let hasKey = false
  for (const part of text.matchAll(PARTS)) {
    const [found, named, line] = part
    const isColon = found.endsWith(':')
    const before = named ?? line ?? wordBefore(text, part.index, isColon ? OF_KEY : OF_NAME)
    hasKey ||= isColon ? KEY.test(before) : line === undefined
    const isTool = !isColon && tools.has(before.trim())
    const isEnd = isColon && isLost && tools.hasParameter(before, 'end')
    const isParameter = isColon && tools.hasParameter(before)
    if ((!isTool && !isParameter && !isEnd) || examples.has(part.index)) continue
    const start = Math.max(0, text.search(START_OF_JSON))
    if (!isJson(text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)))
      return isTool || isEnd || hasKey || isLost
    const lead = text.slice(0, start).trimEnd()
    const isBehindMarker = written !== text || (END_OF_MARKER.test(lead) && !TAG.test(lead.slice(-LONGEST)))
    return isBehindMarker || (isTool && (part.index < start || text.startsWith('{"tool_calls"', start)))
  }
  return hasKey && isLost && !new Examples(text).has(text.indexOf('"'))
}

/** Matches `(`, which may open the arguments of a call, and `=`, which may follow the name of an argument. */
const PYTHON_PARTS = /[(=]/g
const FIRST_KEY = /^\(\s*["']?([\w.-]+)["']?\s*=/

/** Returns true if the text ends with a call to a tool. An argument is enough if the text closes more brackets than it opens. */
function hasPythonRemains(text: string, tools: ToolTable): boolean {
  const end = text.slice(lastBut(text, ' \n\t\r]')).charAt(0)
  if (end !== ')') return false
  const isLost = hasLostStart(text, '(', ')') || hasLostStart(text, '[', ']')
  const examples = new Examples(text)
  for (const { 0: sign, index } of text.matchAll(PYTHON_PARTS)) {
    const word = wordBefore(text, index, OF_KEY)
    const key = sign === '(' ? FIRST_KEY.exec(text.slice(index, index + LONGEST))?.[1] : undefined
    const isCall = key !== undefined && tools.has(word) && tools.hasParameter(key)
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

/** Returns true if the text ends with a closing bracket, and closes more brackets of this kind than it opens. */
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

/** Finds which parts of a text are examples, i.e. quoted or in a code fence. Positions must be passed in ascending order. */
class Examples {
  readonly #text: string
  readonly #fence = new FenceTracker()
  readonly #quotes = new QuoteTracker()
  #fed = 0
  #isExample = false

  constructor(text: string) {
    this.#text = text
  }

  /** True if a position in a call is part of an example. The call's own quotation marks on this line don't count. */
  has(at: number): boolean {
    const line = this.#text.lastIndexOf('\n', at - 1) + 1
    if (line < this.#fed) return this.#isExample
    const start = line + Math.max(0, this.#text.slice(line, at).search(/["[{]|$/))
    const more = this.#text.slice(this.#fed, start)
    this.#fence.push(more)
    this.#quotes.push(more)
    this.#fed = start
    this.#isExample = this.#fence.isOpen || this.#quotes.isOpen(this.#fence.isOpen)
    return this.#isExample
  }
}
