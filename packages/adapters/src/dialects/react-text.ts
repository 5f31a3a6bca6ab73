/** Lines `Thought:`, `Action:`, `Action Input:` and `Final Answer:`, for models that were never trained on tool calls. */

import { lazyDialect, THINK_TAGS } from './define/define-dialect.ts'
import type { WritableCall } from './define/definition.ts'
import type { FormatRefusal } from './define/dialect.ts'
import { ALL_CONTROL_TOKENS } from './define/own-dialect.ts'
import { listTools } from './define/prompt.ts'
import { refuseName } from './define/refusals.ts'
import type { BlockReader } from './engine/block.ts'
import { faultOfActionName, readAction } from './families/sections/react-action.ts'
import { END_OF_SECTION, FENCED_OBJECT, HEADERS, INPUT_HEADER, NO_MARKER } from './families/sections/react-headers.ts'
import { readActionObject } from './families/sections/react-object.ts'
import { sections } from './families/sections/sections.ts'

const READERS = {
  *thought({ input, hasReasoning, giveReasoning }) {
    yield* input.before(END_OF_SECTION, withoutSpace(giveReasoning, hasReasoning ? '\n' : ''))
    return 'read'
  },
  action: readAction,
  object: readActionObject,
  /** Skips the input of an action whose `Action:` header is broken or missing. */
  *input({ input }) {
    yield* input.before(END_OF_SECTION, () => {})
    return 'malformed'
  },
  /** Skips an observation. Observations come only from the agent, so the model copied or invented it. */
  *observation({ input }) {
    yield* input.before(END_OF_SECTION, () => {})
    return 'read'
  },
  /** Reads the final answer, up to the end of the text. */
  *final({ input, hasText, giveText }) {
    yield* input.before(NO_MARKER, withoutSpace(giveText, hasText ? '\n' : ''))
    return 'read'
  },
} satisfies Readonly<Record<string, BlockReader>>

export const reactText = lazyDialect({ name: 'react_text' }, () => {
  const { blocks, atStart } = sections({ ...HEADERS, ...INPUT_HEADER }, READERS)
  return {
    controlTokens: ALL_CONTROL_TOKENS,
    reasoning: THINK_TAGS,
    blocks: [...blocks, { open: FENCED_OBJECT, read: readActionObject }],
    atStart,
    policy: { textAfterCalls: 'drop', callInFence: 'call' },
    formatCalls,
    formatTools: (tools) => [listTools(tools), ...HOW_TO_CALL].join('\n'),
    formatResult: ({ text }, toHarmless) => `Observation: ${toHarmless(text)}`,
  }
})

const HOW_TO_CALL = [
  'You can call these tools, one per turn. Write three lines, then stop; the result comes back as an observation.',
  'Thought: what to do next, and why',
  'Action: the tool name',
  'Action Input: its arguments, as one JSON object on one line',
  'When you know the answer, or need no tool, write two lines instead.',
  'Thought: how you know',
  'Final Answer: the answer',
]

/**
 * Returns a function that emits `before` and then the text without its leading white space. The reader can't skip that white
 * space, because a line break may belong to the next header.
 */
function withoutSpace(give: (text: string) => void, before: string): (text: string) => void {
  let isBegun = false
  return (piece) => {
    const text = isBegun ? piece : piece.trimStart()
    if (text === '') return
    give(isBegun ? text : before + text)
    isBegun = true
  }
}

/** Refuses more than one call per turn. */
function formatCalls(calls: readonly WritableCall[]): string | FormatRefusal {
  const [call] = calls
  if (call === undefined || calls.length > 1) {
    const message = `${calls.length} calls cannot be written: a ReAct turn has one action. Write each call in its own turn.`
    return { ok: false, code: 'parallel_calls', message }
  }
  const fault = faultOfActionName(call.name)
  return fault === undefined ? `Action: ${call.name}\nAction Input: ${call.json}` : refuseName(call.name, fault)
}
