/**
 * `NAME`, a line break and `{…}`, with `>>>` before each further call, as written by Functionary 3.2. The name `all` marks text.
 */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { refuseName } from './define/refusals.ts'
import type { BlockContext, BlockOutcome } from './engine/block.ts'
import { JsonScanner } from './engine/json-scanner.ts'
import { MarkerSet } from './engine/marker.ts'
import type { Reading } from './engine/text-input.ts'
import { readJsonArguments } from './families/json/json-arguments.ts'
import { endBlock } from './families/json/json-block.ts'
import { LLAMA3_RESULT } from './families/results/result-turns.ts'

const OPEN = '>>>'
const TEXT = 'all'

export const functionaryV32 = lazyDialect({ name: 'functionary_v32', models: [/functionary.*v3\.2(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama3,
  reasoning: THINK_TAGS,
  blocks: [{ open: OPEN, read: readRecipient }, LLAMA3_RESULT],
  /** The model's prompt ends with `>>>`, so a response may start with a name. */
  atStart: readBegun,
  syntax: 'json',
  formatCalls(calls) {
    const invalid = calls.find(({ name }) => name === TEXT || name.length > LONGEST_NAME || !/^[^\s>][^\n>]*$/.test(name))
    if (invalid !== undefined)
      return refuseName(
        invalid.name,
        `must have 1 to ${LONGEST_NAME} characters, no ">" or line break, and no white space at its start, and must not be "${TEXT}"`,
      )
    return calls.map(({ name, json }) => `${OPEN}${name}\n${json}`).join('\n')
  },
}))

const LONGEST_NAME = 128
const END = new MarkerSet<'close'>({ close: [] })
const STOPS = new MarkerSet({ open: OPEN })
const TEXT_STOPS = new MarkerSet({ open: OPEN, tag: '<' })

function* readRecipient(context: BlockContext): Reading<BlockOutcome> {
  const { input } = context
  const name = yield* input.takeWhile((code) => code !== GREATER && code !== LINE_BREAK, LONGEST_NAME)
  const next = yield* input.peek()
  if (next === '') return 'cut'
  if (next !== '\n' || !/^\S/.test(name)) return 'text'
  input.at++
  return yield* name === TEXT ? readText(context) : readCall(context, name)
}

/**
 * Reads a response that starts without `>>>`. The first line must be `all`, or a single word with an object after it. Otherwise
 * it may be prose.
 */
function* readBegun(context: BlockContext): Reading<BlockOutcome> {
  const { input, tools, calls } = context
  if (calls.ended > 0) return 'text'
  const isBroken = (yield* input.takeWhile((code) => code === GREATER, OPEN.length)) !== ''
  if (isBroken && input.marked === OPEN.length) input.giveBack(OPEN)
  // Stops at angle brackets, because a name contains no marker.
  const name = yield* input.takeWhile((code) => code > SPACE && code !== GREATER && code !== LESS, LONGEST_NAME)
  if (name === '' || (yield* input.peek()) !== '\n') return 'text'
  input.at++
  if (isBroken) {
    // Prose may also start with `>`, for example a Python prompt or a quotation.
    if (tools.isOpen || !tools.has(name) || (yield* input.peek()) !== '{') return 'text'
    return (yield* input.scan(new JsonScanner())) ? 'malformed' : 'cut'
  }
  if (name === TEXT) return yield* readText(context)
  return (yield* input.peek()) === '{' ? yield* readCall(context, name) : 'text'
}

const LINE_BREAK = 0x0a
const SPACE = 0x20
const GREATER = 0x3e
const LESS = 0x3c

function isDeclared({ tools }: BlockContext, name: string): boolean {
  return !tools.isOpen && tools.has(name)
}

function* readCall(context: BlockContext, name: string): Reading<BlockOutcome> {
  const outcome = yield* readJsonArguments(context, { name }, STOPS)
  if (outcome === 'cut' || outcome === 'text') return outcome
  if (outcome === 'broken') return context.calls.isOpen || isDeclared(context, name) ? 'malformed' : 'text'
  return yield* endBlock(context, END)
}

/** Reads text up to the next possible marker. Lines in it never count as tool names. */
function* readText({ input, giveText }: BlockContext): Reading<BlockOutcome> {
  yield* input.skipSpace()
  yield* input.before(TEXT_STOPS, giveText)
  return 'read'
}
