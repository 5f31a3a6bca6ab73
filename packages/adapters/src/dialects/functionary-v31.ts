/** `<function=NAME>{…}</function>`, as written by Functionary 3.1, and by Llama 3.1 with custom tools. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import { refuseName } from './define/refusals.ts'
import type { BlockContext, BlockOutcome } from './engine/block.ts'
import { afterSpace, MarkerSet } from './engine/marker.ts'
import type { Reading } from './engine/text-input.ts'
import { readJsonArguments } from './families/json/json-arguments.ts'
import { endBlock } from './families/json/json-block.ts'
import { LLAMA3_RESULT } from './families/results/result-turns.ts'

const OPEN = '<function='
const CLOSE = '</function>'

export const functionaryV31 = lazyDialect({ name: 'functionary_v31', models: [/functionary.*v3\.1(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.llama3,
  reasoning: THINK_TAGS,
  blocks: [{ open: OPEN, inside: CLOSE, read: readFunction }, LLAMA3_RESULT],
  formatCalls(calls) {
    const invalid = calls.find(({ name }) => name === '' || name.length > LONGEST_NAME || /[>\n]/.test(name))
    if (invalid !== undefined)
      return refuseName(invalid.name, `must have 1 to ${LONGEST_NAME} characters, and no ">" or line break`)
    return calls.map(({ name, json }) => `${OPEN}${name}>${json}${CLOSE}`).join('')
  },
}))

const LONGEST_NAME = 256
const STOPS = new MarkerSet({ open: OPEN, close: CLOSE })
const END = new MarkerSet({ close: afterSpace(CLOSE) })

function* readFunction(context: BlockContext): Reading<BlockOutcome> {
  const { input } = context
  const name = yield* input.takeWhile((code) => code !== 0x3e && code !== 0x0a, LONGEST_NAME)
  const next = yield* input.peek()
  if (next === '') return 'cut'
  if (name === '' || next !== '>') return 'text'
  input.at++
  const outcome = yield* readJsonArguments(context, { name }, STOPS)
  if (outcome === 'done') return yield* endBlock(context, END)
  return outcome === 'broken' ? 'malformed' : outcome
}
