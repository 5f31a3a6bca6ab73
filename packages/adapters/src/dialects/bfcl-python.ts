/** `[a.b(x=1), c(y='z')]` and nothing else, as the Berkeley leaderboard asks for it; without brackets and in a code fence too. */
import { defineDialect } from './define-dialect.ts'
import type { BlockContext } from './engine/block.ts'
import { loose, MarkerSet } from './engine/marker.ts'
import type { Reading } from './engine/text-input.ts'
import { pythonList } from './families/python-block.ts'
import { formatPythonCalls } from './families/python-format.ts'
import { takeUnit } from './families/python-literal.ts'

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
    // Not taken: where a fence opens is for the machine to see.
    if (policy.callInFence === 'text' && (yield* input.peek()) === '`') return 'text'
    const isCode = (yield* takeTicks(context)) !== ''
    if (isCode) yield* input.match(LANGUAGE)
    const isList = yield* takeUnit(input, '[')
    // Where neither brackets nor a fence tell a call from text, its name must.
    const isBare = !isCode && !isList
    const outcome = yield* readList(isBare ? { ...context, policy: { ...policy, unknownTool: 'text' } } : context)
    // A word that the text ends in is an answer.
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
