/** What is left of a broken call without markers: text with the name of a tool or its parameters, where no call and no data is. */
import { isJson } from './exact-json.ts'
import { FenceTracker } from './fence-tracker.ts'
import { QuoteTracker } from './quote-tracker.ts'
import type { ToolTable } from './tool-table.ts'

/** How a dialect writes calls. */
export type CallSyntax = 'json' | 'python'

/** True if text is what is left of a call. What is quoted or in a fence is an example. Linear in the length. */
export function hasCallRemains(text: string, syntax: CallSyntax, tools: ToolTable): boolean {
  if (tools.isOpen) return false
  return syntax === 'json' ? hasJsonRemains(text, tools) : hasPythonRemains(text, tools)
}

/** Behind a name: the key of its arguments, or a colon. Before a name: its key. A name on its own line, before a brace. */
const PARTS = /"\s*,\s*"?(?:argum|param|args|input)|"\s*:|name"?\s*:\s*"([^"\n]{1,128})|>([^\s>"{]{1,128})\n\{/g
/** The keys of a call, without their first characters if need be. */
const KEY = /^(?:name|args|a?r?guments|u?ments|p?a?rameters|a?meters|e?ters)$/
/** Brackets that begin JSON: in a marker they stand before a word. */
const START_OF_JSON = /\{|\[(?=\s{0,99}[[{"\d\]])/
/** What a marker ends with, unless it is a tag. */
const END_OF_MARKER = /[\]>|#]$/
const TAG = /<[^<>]{1,99}>$/
const LONE_MARK = /^>{1,3}(?=\S)/

/** Valid JSON is an answer, unless a name stands before it, or what is left of a marker. */
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

/** Where a call begins, and where an argument does. */
const PYTHON_PARTS = /[(=]/g
const FIRST_KEY = /^\(\s*["']?([\w.-]+)["']?\s*=/

/** A call of a tool up to the end of the text, or an argument where brackets are closed that weren't opened. */
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

/** True if brackets are closed that weren't opened, up to the end of the text. */
function hasLostStart(text: string, open: string, close: string): boolean {
  const last = text.charAt(lastBut(text, ' \n\t\r,;'))
  return '}])'.includes(last) && text.split(close).length > text.split(open).length
}

/** The position of the last character that isn't one of these. */
function lastBut(text: string, units: string): number {
  let at = text.length - 1
  while (at > 0 && units.includes(text.charAt(at))) at--
  return at
}

/** What is quoted or in a fence. Asked from the start to the end. */
class Examples {
  readonly #text: string
  readonly #fence = new FenceTracker()
  readonly #quotes = new QuoteTracker()
  #fed = 0
  #isExample = false

  constructor(text: string) {
    this.#text = text
  }

  /** @param at A position in a call, whose own quotation marks on this line don't count. */
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
