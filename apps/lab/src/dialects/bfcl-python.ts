/** `[a.b(x=1), c(y='z')]` and nothing else, as the Berkeley leaderboard requests it. Also without brackets or in a code fence. */
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
    // Not consumed: the state machine must see the opening fence.
    if (policy.callInFence === 'text' && (yield* input.peek()) === '`') return 'text'
    const isCode = (yield* takeTicks(context)) !== ''
    if (isCode) yield* input.match(LANGUAGE)
    const isList = yield* takeUnit(input, '[')
    // Without brackets or a fence, only its name distinguishes a call from text.
    const isBare = !isCode && !isList
    const outcome = yield* readList(isBare ? { ...context, policy: { ...policy, unknownTool: 'text' } } : context)
    // A word at the end of the text is an answer.
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

/** Consumes the unit if it comes next, after white space. */
function* takeUnit(input: TextInput, unit: string): Reading<boolean> {
  yield* input.skipSpace()
  if ((yield* input.peek()) !== unit) return false
  input.at++
  return true
}
