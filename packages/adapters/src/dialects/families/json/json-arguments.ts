/** Reads the arguments after a tool name: a JSON value, which is emitted as it arrives. */
import { readArguments } from '../../../arguments/parse.ts'
import type { ArgumentErrorCode } from '../../../arguments/tags.ts'
import type { BlockContext } from '../../engine/block.ts'
import type { StartedCall } from '../../engine/call-writer.ts'
import { JsonScanner } from '../../engine/json-scanner.ts'
import type { MarkerSet } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { takeFence, takeFenceEnd } from './code-fence.ts'
import { scanValue } from './json-calls.ts'

/**
 * How reading the arguments ended. `done`: they are complete, and the call is still open. `cut`: the text ended inside them.
 * `broken`: they are missing or invalid JSON, and the input is after them. `text`: the tool isn't declared, and the policy treats
 * such calls as text. After `cut` or `broken`, the call is open if its arguments had started.
 */
export type ArgumentsOutcome = 'done' | 'cut' | 'broken' | 'text'

/**
 * Starts a call and emits its argument text. A marker in `stops` outside strings ends the arguments, even if they are incomplete.
 */
export function* readJsonArguments(context: BlockContext, call: StartedCall, stops: MarkerSet): Reading<ArgumentsOutcome> {
  const { input, calls, tools, policy } = context
  const isTool = policy.unknownTool === 'call' || tools.has(call.name)
  yield* input.skipSpace()
  const isFenced = yield* takeFence(input)
  const first = yield* input.peek()
  if (first === '') return 'cut'
  if (!MAY_BEGIN.includes(first)) {
    if (!isTool) return 'text'
    if (policy.missingArguments === 'malformed' || (yield* input.peek(stops)) === undefined) return 'broken'
    calls.start(call)
    calls.write('{}')
    calls.isWhole = true
    return 'done'
  }
  const scanner = new JsonScanner(stops.firstUnits)
  let raw = ''
  const give = (text: string) => {
    raw += text
    if (isTool) calls.write(text)
  }
  if (isTool) calls.start({ ...call, reader: scanner })
  const outcome = yield* scanValue(context, { stops }, scanner, give)
  if (outcome === 'cut') return isTool ? 'cut' : 'text'
  if (outcome === 'broken') {
    give(scanner.closing)
    calls.tag('repaired')
  }
  yield* input.takeWhile((code) => code === CLOSING_BRACE)
  if (isFenced && (yield* takeFenceEnd(input)) && isTool) calls.tag('repaired')
  if (!isTool) return 'text'
  calls.isWhole = isReadable(raw)
  return calls.isWhole ? 'done' : 'broken'
}

/** First characters of arguments: an object, `null`, or a string that contains an object. */
const MAY_BEGIN = '{n"'
const CLOSING_BRACE = 0x7d

/** Error codes for valid JSON that is refused. The error is reported later, when the tool is called. */
const REFUSED: readonly ArgumentErrorCode[] = ['forbidden_key', 'too_deep', 'too_large']

function isReadable(raw: string): boolean {
  const read = readArguments(raw)
  return read.ok || REFUSED.includes(read.code)
}
