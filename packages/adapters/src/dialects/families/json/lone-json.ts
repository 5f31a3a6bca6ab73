/** Recognizes calls in JSON whose open marker is missing or broken. They are reported as malformed and never executed. */
import type { BlockDefinition } from '../../define/definition.ts'
import type { BlockOutcome, BlockReader } from '../../engine/block.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import type { Reading, TextInput } from '../../engine/text-input.ts'
import type { ToolTable } from '../../engine/tool-table.ts'

const OPEN = loose('[ { "name" : "')
const ARGUMENTS = new MarkerSet({ arguments: [loose('" , "arguments" :'), loose('" , "parameters" :')] })
const LONGEST_NAME = 128

/** A block for dialects without an end marker. A list counts as calls only if it starts with a tool name and arguments. */
export const LONE_JSON: BlockDefinition = {
  open: OPEN,
  isUnmarked: true,
  opens: (input) => opensHere(input, undefined),
  *read({ input, opener, tools }) {
    if (!(yield* opensHere(input, tools))) return 'text'
    return yield* skipCalls(input, opener)
  },
}

/** How the JSON may start. `calls`: with a list or an object. `members`: with the members of an object that lacks its brace. */
const HEADS = {
  calls: new MarkerSet({ list: loose(' [ { "name" : "'), object: loose(' { "name" : "') }),
  members: new MarkerSet({ members: loose(' "name" : "') }),
} as const

/**
 * Recognizes calls at the start of a reply, after the rest of a broken open marker. `whole` contains the intact open markers;
 * text after one of them is left to other blocks.
 */
export function loneStart(kind: keyof typeof HEADS, whole: readonly string[] = []): BlockReader {
  return function* ({ input, tools }) {
    if (kind === 'members' && (yield* input.peek()) !== '"') return 'text'
    yield* input.skipSpace()
    const rest = kind === 'calls' ? yield* input.takeWhile(isOfMarker, LONGEST_REST) : ''
    const opener = yield* input.take(HEADS[kind])
    const isWhole = whole.some((marker) => (rest + opener.trim()).includes(marker))
    if (opener !== '' && !isWhole && (yield* opensHere(input, tools))) return yield* skipCalls(input, opener)
    input.giveBack(input.peekMarked(0))
    return 'text'
  }
}

const LONGEST_REST = 24

/**
 * Returns true for a character that a broken marker may contain. Backticks and tildes aren't included, because they start a code
 * fence.
 */
function isOfMarker(code: number): boolean {
  return code > 0x20 && !'[{"`~'.includes(String.fromCharCode(code))
}

/** Returns true if a tool name and arguments follow. Starts after the opening quote of the name. */
function* opensHere(input: TextInput, tools: ToolTable | undefined): Reading<boolean> {
  const name = yield* input.takeWhile((code) => code > 0x20 && code !== QUOTE, LONGEST_NAME)
  const isKnown = tools === undefined ? name !== '' : !tools.isOpen && tools.has(name)
  return isKnown && (yield* input.match(ARGUMENTS)) !== undefined
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

function* skipCalls(input: TextInput, opener: string): Reading<BlockOutcome> {
  if (/^\s*"/.test(opener)) {
    yield* input.takeWhile((code) => code !== LINE_FEED)
    return 'malformed'
  }
  const text = input.peekMarked(0)
  input.giveBack(text.slice(text.indexOf(opener.trimStart())))
  return (yield* input.scan(new JsonScanner())) ? 'malformed' : 'cut'
}
