/** Calls as a JSON list whose open marker is missing or broken: they are reported, and not executed. */
import type { BlockDefinition } from '../definition.ts'
import type { BlockOutcome, BlockReader } from '../engine/block.ts'
import { JsonScanner } from '../engine/json-scanner.ts'
import { loose, MarkerSet } from '../engine/marker.ts'
import type { Reading, TextInput } from '../engine/text-input.ts'
import type { ToolTable } from '../engine/tool-table.ts'

const OPEN = loose('[ { "name" : "')
const HEAD = new MarkerSet({ open: OPEN })
const ARGUMENTS = new MarkerSet({ arguments: loose('" , "arguments" :') })
const LONGEST_NAME = 128

/** For dialects without an end marker. Only a list of calls has the name of a tool and arguments behind it. */
export const LONE_JSON: BlockDefinition = {
  open: OPEN,
  isUnmarked: true,
  opens: (input) => opensHere(input, undefined),
  *read({ input, opener, tools }) {
    if (!(yield* opensHere(input, tools))) return 'text'
    return yield* skipList(input, opener)
  },
}

/** At the start of a reply, with the rest of an open marker. */
export const readLoneStart: BlockReader = function* ({ input, tools }) {
  yield* input.skipSpace()
  yield* input.takeWhile(isOfMarker, LONGEST_REST)
  const opener = yield* input.take(HEAD)
  if (opener === '' || !(yield* opensHere(input, tools))) return 'text'
  return yield* skipList(input, opener)
}

const LONGEST_REST = 24

function isOfMarker(code: number): boolean {
  return code > 0x20 && !'<[{'.includes(String.fromCharCode(code))
}

/** Behind the quote of the name. */
function* opensHere(input: TextInput, tools: ToolTable | undefined): Reading<boolean> {
  const name = yield* input.takeWhile((code) => code > 0x20 && code !== QUOTE, LONGEST_NAME)
  const isKnown = tools === undefined ? name !== '' : !tools.isOpen && tools.has(name)
  return isKnown && (yield* input.match(ARGUMENTS)) !== undefined
}

const QUOTE = 0x22

function* skipList(input: TextInput, opener: string): Reading<BlockOutcome> {
  const text = input.peekMarked(0)
  input.giveBack(text.slice(text.indexOf(opener)))
  return (yield* input.scan(new JsonScanner())) ? 'unread' : 'cut'
}
