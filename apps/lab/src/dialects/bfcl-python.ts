/**
 * The Berkeley leaderboard's Python format: the response is only a list of calls, such as `[a.b(x=1), c(y='z')]`. Brackets are optional,
 * and a code fence is allowed.
 */
import {
  type BlockContext,
  defineDialect,
  formatPythonCalls,
  loose,
  MarkerSet,
  pythonList,
  type Reading,
  type TextInput,
} from '@x/adapters/dialects'

const LANGUAGE = new MarkerSet({ language: ['python\n', 'py\n', 'tool_code\n', 'json\n', 'plaintext\n'] })

const readList = pythonList({
  bareWords: true,
  nestedCalls: true,
  dropsPositional: true,
  close: new MarkerSet({ close: '`' }),
})

export const bfclPython = defineDialect({
  name: 'bfcl_python',
  reasoning: { open: '<think>', close: '</think>' },
  blocks: [{ open: loose('\n ['), read: readList }],
  *atStart(context) {
    const { input, calls, policy } = context
    yield* input.skipSpace()
    // The backtick isn't consumed here, because the state machine must see the opening fence.
    if (policy.callInFence === 'text' && (yield* input.peek()) === '`') return 'text'
    const isCode = (yield* takeTicks(context)) !== ''
    if (isCode) yield* input.match(LANGUAGE)
    const isList = yield* takeUnit(input, '[')
    // Without brackets or a fence, only the name distinguishes a call from text.
    const isBare = !isCode && !isList
    const outcome = yield* readList(isBare ? { ...context, policy: { ...policy, unknownTool: 'text' } } : context)
    // A single word is an answer, even if it is the name of a tool.
    if (isBare && outcome === 'cut' && !calls.isOpen) return 'text'
    if (outcome !== 'read') return outcome
    if (isCode) {
      yield* input.skipSpace()
      yield* takeTicks(context)
    }
    return 'read'
  },
  policy: { callInReasoning: 'ignore', callInFence: 'call' },
  results: 'escape-if-read',
  formatCalls: (calls) => formatPythonCalls(calls, (texts) => `[${texts.join(', ')}]`),
})

function takeTicks({ input }: BlockContext): Reading<string> {
  return input.takeWhile((code) => code === 0x60)
}

/** Skips white space, then consumes the unit if it comes next. */
function* takeUnit(input: TextInput, unit: string): Reading<boolean> {
  yield* input.skipSpace()
  if ((yield* input.peek()) !== unit) return false
  input.at++
  return true
}
