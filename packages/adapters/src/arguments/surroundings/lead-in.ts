/** Skips text before the value: prose, reasoning, tags, a code fence, or the start of a call or an assignment. */
import { isWordStart } from '../scanner/characters.ts'
import type { Cursor } from '../scanner/cursor.ts'
import { hasWordsForData } from './left-out.ts'
import { isLiteralAlone, isWithdrawn, type Surroundings, skipFence } from './surroundings.ts'

const REASONING = /<(think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)>/iy
const END_OF_REASONING = /<\/(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)>/gi

/** Skips reasoning before the value, even if its opening tag is missing. Returns false if there is no reasoning. */
export function skipReasoning(cursor: Cursor): boolean {
  const { text, at } = cursor
  REASONING.lastIndex = at
  const name = REASONING.exec(text)?.[1]
  const close = name === undefined ? undefined : `</${name}>`
  const end = close === undefined ? lastEnd(text, at, firstValue(text, at)) : text.indexOf(close, at) + close.length
  // Reasoning that hasn't ended may contain objects that aren't the answer.
  if (close !== undefined && end < at + close.length) return cursor.refuse('truncated')
  if (end === at) return false
  cursor.tags.add('surrounding_text')
  cursor.take(end)
  return true
}

function lastEnd(text: string, from: number, to: number): number {
  const words = text.slice(from, to)
  const found = words.includes('</') ? [...words.matchAll(END_OF_REASONING)].at(-1) : undefined
  return found === undefined ? from : from + found.index + found[0].length
}

/** Number of characters to search for words such as "and so on" if no value follows the prose. */
const MOST_OF_REFUSED = 1000

/** Moves past the prose to the value, or refuses the text. Call this once the text is complete. */
export function findInProse(cursor: Cursor, { hasProse, fences }: Surroundings): Surroundings {
  const { text, at } = cursor
  const found = firstValue(text, at)
  const prose = text.slice(at, found)
  const isFence = /^[`~]/.test(text.charAt(found))
  if (isLiteralAlone(prose) && found < text.length) return cursor.refuse('multiple_values')
  // Without a value, the text is refused in any case. Its start determines the code.
  if (hasWordsForData(found === text.length ? prose.slice(0, MOST_OF_REFUSED) : prose)) return cursor.refuse('elided')
  // `items[0]` is an expression.
  if (text.charAt(found) === '[' && /\w$/.test(prose)) return cursor.refuse('unquoted_value')
  if (found === text.length || (isFence && fences > 0)) return refuseProse(cursor)
  const [words, code] = splitCode(prose.trimEnd())
  if (words === undefined || !isProse(words, hasProse || fences > 0 || code !== undefined)) return refuseProse(cursor)
  // A backtick directly before the value starts inline code.
  const isQuoted = !isFence && text.charAt(found - 1) === '`'
  if (isQuoted && text.includes('${', found)) return cursor.refuse('unquoted_value')
  cursor.tags.add('surrounding_text')
  if (isFence || isQuoted) cursor.tags.add('fence')
  cursor.take(isFence ? skipFence(text, found) : found)
  return { hasProse: true, fences: isFence || isQuoted ? fences + 1 : fences, isQuoted: false, code }
}

/** Returns the position of the first bracket or fence, or the end of the text. */
function firstValue(text: string, from: number): number {
  let before = text.slice(from)
  for (const sign of ['{', '[', '```', '~~~']) {
    const found = before.indexOf(sign)
    if (found >= 0) before = before.slice(0, found)
  }
  return from + before.length
}

/** Maximum length of a line of code that precedes the value. */
const LONGEST_LINE = 200
const DECLARATION = /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]*)?=$/
const ASSIGNMENT = /^([\w$]+)\s*(?::[^=]*)?=$/
/** Names that protocols and models use for all arguments together. Any other name may belong to a single argument. */
const OF_ALL = /^(?:(?:tool|function|action|call)_?)?(?:arg(?:ument)?s|param(?:eter)?s|kwargs|inputs?)$/i
/** Words in a variable name that show that it doesn't hold the arguments of the call: `oldArgs`. */
const NOT_MEANT =
  /(?:^|[_$])(?:examples?|samples?|template|schema|defaults?|placeholder|previous|original|old|wrong|bad|invalid)(?:[_$]|$)/i
const CALL = /(?:\bnew\s+)?[\w$.]+\s*\($/
/** Functions whose result is different from their argument: `JSON.stringify(`. */
const CONVERSION =
  /^(?:new\s|(?!(?:functions|tools|default_api)\.)[\w$]*\.|(?:(?:json_?|to_?)?(?:json|string|stringify|str|dumps?|encode|decode|parse|loads?)|jsonify|serialize|repr|eval|keys|values|entries|len|list|set|bool|type)\s*\()/i
/** Code in which braces contain a block instead of an object. */
const BLOCK = /^(?:(?:async\s+)?function|def|class|lambda|interface|struct|enum|switch)\b|^(?:if|for|while)\s*\(/

/**
 * Splits the text before the value into prose and code, which is a call or an assignment. `words` is undefined if the code shows
 * that the value isn't the arguments of the call, as in `oldArgs = {`.
 */
function splitCode(prose: string): readonly [words: string | undefined, code: Surroundings['code']] {
  if (prose.endsWith('(')) {
    const call = CALL.exec(prose.slice(-LONGEST_LINE))?.[0]
    const isNested = prose.split('(').length - prose.split(')').length > 1
    return [call !== undefined && (isNested || CONVERSION.test(call)) ? undefined : prose, 'call']
  }
  if (!prose.endsWith('=')) return [prose, undefined]
  const start = prose.lastIndexOf('\n') + 1
  const line = prose.slice(start).trim()
  if (line.length > LONGEST_LINE) return [undefined, undefined]
  const declared = DECLARATION.exec(line)?.[1]
  const isWhole = declared === undefined ? OF_ALL.test(ASSIGNMENT.exec(line)?.[1] ?? '') : isMeant(declared)
  return [isWhole ? prose.slice(0, start) : undefined, 'assignment']
}

/** Returns true unless the name contains a word such as `old`. Splits camel case and snake case: `oldArgs`, `old_args`. */
function isMeant(name: string): boolean {
  return !NOT_MEANT.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_'))
}

const TAG = /^<\|?[\w-]{1,40}\|?>$/
const LONGEST_TAG = 44
/** Special tokens of chat templates, such as `<|im_start|>`. */
const TEMPLATE_TOKEN = /<(?:[|｜][^<>|｜\n]{1,40}[|｜]|start_of_turn|end_of_turn|s|bos)>/g
/** Tokens and roles that show that the text isn't the model's answer: a result, a channel, or another speaker's turn. */
const OF_OTHERS =
  /<[|｜][^<>|｜\n]{0,40}(?:user|human|system|developer|ipython|observation|environment|output|response|result|channel)[^<>|｜\n]{0,40}[|｜]>|<[^<>\n]{1,42}>\s*(?:user|human|system|developer|ipython|observation|tool)\b/i
/** Maximum number of nested template tags. */
const MOST_TAGS = 4
/** Labels for a whole reply or call, such as `answer:`. */
const OF_REPLY: readonly string[] = [
  ...['json', 'answer', 'output', 'response', 'result', 'assistant'],
  ...['call', 'tool_call', 'function_call'],
]
const LABEL = /^[ \t>*-]*([a-z_$][\w$]*)[ \t]*:/gm

/** Returns true if the text consists only of prose, bullets, `>` or tags, and can't contain a value or a member. */
function isProse(prose: string, mayBeEmpty: boolean): boolean {
  const words = withoutTags(prose).replace(TEMPLATE_TOKEN, ' ')
  if (OF_OTHERS.test(prose)) return false
  if (words.trim() === '') return mayBeEmpty || words !== prose
  if (isWithdrawn(words) || BLOCK.test(words) || hasLabelOfOne(words)) return false
  if (/^\s*[-*•>]\s*$/.test(words)) return true
  // Quoted words within prose are neither a key nor a value.
  return /\p{L}/u.test(words) && !/["=<>{}\]\\]/.test(words.replace(/(?<=[\p{L}\p{N},] )"[^"\n]{1,80}"(?!\s*[:,=])/gu, ''))
}

/** Returns true if the text contains a label that may name a single argument, such as `filter:`. */
function hasLabelOfOne(words: string): boolean {
  const names = [...words.matchAll(LABEL)].map(([, name = '']) => name)
  return names.some((name) => !OF_ALL.test(name) && !OF_REPLY.includes(name))
}

/** Removes tags directly before the value. If words follow a tag, they are its content, so it stays. */
function withoutTags(prose: string): string {
  let end = prose.length
  for (let count = 0; count < MOST_TAGS; count++) {
    while (prose.charAt(end - 1).trim() === '' && end > 0) end--
    const start = prose.lastIndexOf('<', end)
    if (start < 0 || end - start > LONGEST_TAG || !TAG.test(prose.slice(start, end))) break
    end = start
  }
  return prose.slice(0, end)
}

function refuseProse(cursor: Cursor): never {
  const first = cursor.text.charAt(cursor.at)
  if (cursor.text.startsWith('...', cursor.at) || first === '…') return cursor.refuse('elided')
  if (',:;]})'.includes(first)) return cursor.refuse('missing_value')
  return cursor.refuse(isWordStart(first.charCodeAt(0)) ? 'unquoted_value' : 'unexpected_character')
}
