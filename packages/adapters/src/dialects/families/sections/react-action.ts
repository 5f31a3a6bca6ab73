/** Reads `Action:` and `Action Input:`: a tool name on one line, and its arguments as JSON or plain text. */
import type { BlockContext, BlockOutcome } from '../../engine/block.ts'
import { writeNameAlone } from '../../engine/block.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { readJsonArguments } from '../json/json-arguments.ts'
import { END_OF_INPUT, END_OF_INPUT_HERE, END_OF_SECTION, INPUT, OBJECT_HERE, readRest } from './react-headers.ts'
import { BareInput } from './react-input.ts'
import { readActionObject } from './react-object.ts'

/**
 * Reads an action, starting after its header. Text after the call isn't parsed, because it isn't an answer. The policy decides
 * whether it is kept.
 */
export function* readAction(context: BlockContext): Reading<BlockOutcome> {
  const { input, tools, policy } = context
  const object = yield* input.take(OBJECT_HERE)
  if (object !== '') return yield* readActionObject({ ...context, opener: object })
  const line = yield* readStart(context)
  if (line === '') return 'cut'
  const name = toActionName(yield* input.takeWhile((code) => code !== 0x0a, LONGEST_NAME))
  if (line === 'empty' || name === '') return 'malformed'
  const isNone = NO_ACTION.test(name) && tools.argsOf(name) === undefined
  if (!isNone && policy.unknownTool === 'text' && !tools.has(name)) return 'text'
  yield* input.before(END_OF_SECTION, () => {})
  const hasInput = (yield* input.match(INPUT)) !== undefined
  if (isNone) {
    // The answer follows.
    if (hasInput) yield* input.before(END_OF_INPUT, () => {})
    return 'read'
  }
  const outcome = yield* readInput(context, name, hasInput)
  if (outcome === 'read') yield* readRest(context)
  return outcome
}

const LONGEST_NAME = 512
/** What models write if they need no tool. */
const NO_ACTION = /^(none|n\/a|no action)\b/i

/**
 * Moves to a section's content, which may start on the next line. Returns `empty` for an empty section, `text` for any other, and
 * an empty string at the end of the text.
 */
function* readStart({ input }: BlockContext): Reading<string> {
  yield* input.takeWhile(isBlank)
  if ((yield* input.peek(END_OF_INPUT)) !== undefined) return 'empty'
  yield* input.skipSpace()
  return (yield* input.peek()) === '' ? '' : 'text'
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}

const PAIRS = ['[]', '``', '""', "''", '**', '()', '<>']

/** Removes the formatting that models add around a name. */
function toActionName(line: string): string {
  let name = line.trim()
  for (let pair = findPair(name); pair !== undefined && name.length > 1; pair = findPair(name)) name = name.slice(1, -1).trim()
  return name
}

function findPair(name: string): string | undefined {
  return PAIRS.find((pair) => name.startsWith(pair.charAt(0)) && name.endsWith(pair.charAt(1)))
}

/** Returns why an action line with this name would be parsed differently, or undefined if it wouldn't be. */
export function faultOfActionName(name: string): string | undefined {
  if (name === '' || name.length >= LONGEST_NAME) return `must have 1 to ${LONGEST_NAME - 1} characters`
  if (/[\n\r]/.test(name)) return 'contains a line break'
  const start = /^(?:[{`]|\*\*)/.exec(name)?.[0]
  if (start !== undefined) return `starts with "${start}"`
  return name === toActionName(name) ? undefined : 'starts or ends with white space, or is between quotes or brackets'
}

function* readInput(context: BlockContext, name: string, hasInput: boolean): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  if (!hasInput || (yield* readStart(context)) !== 'text') {
    if (policy.missingArguments === 'malformed') return 'malformed'
    return writeNameAlone(context, { name })
  }
  const isFenced = (yield* input.match(FENCE)) !== undefined
  const word = isFenced ? yield* readLanguage(context) : ''
  if (word !== '' || (yield* input.peek()) !== '{') return yield* readBareInput(context, name, isFenced, word)
  const outcome = yield* readJsonArguments(context, { name }, END_OF_INPUT_HERE)
  if (outcome !== 'done') return outcome === 'broken' ? 'malformed' : outcome
  if (isFenced) yield* input.match(END_OF_FENCE)
  calls.end()
  return 'read'
}

const FENCE = new MarkerSet<string>({ fence: ['```', '~~~'] })
const END_OF_FENCE = new MarkerSet<string>({ fence: [loose(' ```'), loose(' ~~~')] })

/** Reads the first word in a fence, and the white space after it. Returns an empty string if the word is the name of a language. */
function* readLanguage({ input }: BlockContext): Reading<string> {
  const word = yield* input.takeWhile((code) => code > 0x20 && code !== 0x60 && code !== 0x7b, LONGEST_NAME)
  const blanks = yield* input.takeWhile(isBlank)
  const next = yield* input.peek()
  const isLanguage = next === '\n' || next === '{'
  if (isLanguage) yield* input.skipSpace()
  return isLanguage ? '' : word + blanks
}

/** Reads plain text up to the end of its fence or section. */
function* readBareInput(context: BlockContext, name: string, isFenced: boolean, begun: string): Reading<BlockOutcome> {
  const { input, calls, policy } = context
  const bare = new BareInput(context, name)
  if (begun !== '') bare.give(begun)
  const isEnded = (yield* input.before(isFenced ? END_OF_FENCE : END_OF_INPUT, bare.give)) !== undefined
  if (!isEnded && ((isFenced && policy.unfinished === 'never') || bare.isOpenList)) return 'cut'
  if (isFenced) yield* input.match(END_OF_FENCE)
  bare.end()
  calls.end()
  return 'read'
}
