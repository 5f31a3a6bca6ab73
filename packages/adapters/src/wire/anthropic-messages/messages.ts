/** Encodes messages as blocks of the Messages API. */
import type { Message, ToolMessage } from '../../protocol/protocol.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import { stringAt } from '../read-json.ts'
import { type SignedForms, signedBlocks } from '../signed-blocks.ts'
import { isBlank, loseBlank, mergeTurns, trimLast } from '../user-turns.ts'
import { toSafeId } from '../wire-ids.ts'
import type { AnthropicBlock, AnthropicTurn, Cached, TextBlock, ToolResultBlock, ToolUseBlock } from './body.ts'
import { isThinking, NAME } from './kept-blocks.ts'
import { partBlocks } from './parts.ts'

interface Conversation {
  readonly system: readonly string[]
  readonly messages: AnthropicTurn[]
}

/** Encodes messages. `marked` are the indices of the messages after which the prompt is cached. */
export function encodeMessages(messages: readonly Message[], marked: ReadonlySet<number>, lose: Lose): Conversation {
  const lastBlocks = new Set<AnthropicBlock | undefined>()
  const convert = (message: Message, index: number) => {
    const blocks = toBlocks(message, index, lose)
    if (marked.has(index)) lastBlocks.add(blocks.findLast(isMarkable))
    return blocks
  }
  const { system, turns } = mergeTurns(messages, convert, lose)
  const sent = trimLast(turns, messages.length - 1, lose)
  const mark = (block: AnthropicBlock) => (lastBlocks.has(block) ? { ...block, ...CACHED } : block)
  return { system, messages: sent.map(({ role, blocks }) => ({ role, content: blocks.map(mark) })) }
}

/** The API rejects marks on thinking. */
function isMarkable({ type }: { readonly type: string }): boolean {
  return !type.endsWith('thinking')
}

export const CACHED: Required<Cached> = { cache_control: { type: 'ephemeral' } }

const toBlocks = byMessage((message: Message, lose): readonly AnthropicBlock[] => {
  loseBlank(message, lose)
  if (message.role === 'tool') return [encodeResult(message, lose)]
  if (message.role !== 'assistant') return partBlocks(message, lose)
  // The cast is safe: blocks that this package doesn't write come from the API itself.
  return signedBlocks(message, FORMS, lose) as unknown as readonly AnthropicBlock[]
})

const FORMS: SignedForms = {
  name: NAME,
  isReasoning: isThinking,
  textOf: (block) => (block.type === 'text' ? (stringAt(block, 'text') ?? '') : undefined),
  callIdOf: (block) => (block.type === 'tool_use' ? toSafeId(stringAt(block, 'id') ?? '') : undefined),
  toText: (text) => ({ type: 'text', text }) satisfies TextBlock,
  toCall: ({ id, name }, input, kept) => ({ ...kept, ...({ type: 'tool_use', id, name, input } satisfies ToolUseBlock) }),
}

function encodeResult(message: ToolMessage, lose: Lose): ToolResultBlock {
  const content = message.parts === undefined ? message.content : partBlocks(message, lose, !message.isError)
  const isEmpty = typeof content === 'string' ? isBlank(content) : content.length === 0
  return {
    type: 'tool_result',
    tool_use_id: message.callId,
    ...(!isEmpty && { content }),
    ...(message.isError && { is_error: true }),
  }
}
