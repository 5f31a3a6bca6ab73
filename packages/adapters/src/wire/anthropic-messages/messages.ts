/** Encodes messages as blocks of the Messages API. */
import type { Message, ToolMessage } from '../../protocol/protocol.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import type { WireRequest } from '../define-wire.ts'
import { arrayAt, fieldAt, objectAt, stringAt } from '../read-json.ts'
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

type Input = Pick<WireRequest, 'messages' | 'marks' | 'tools' | 'deferred' | 'lose'>

export function encodeMessages({ messages, marks, tools, deferred, lose }: Input): Conversation {
  const marked = marks.messages
  const lastBlocks = new Set<AnthropicBlock | undefined>()
  const isOffered = (name: unknown) => [tools, deferred].some((list) => list.some(({ tool }) => tool.function.name === name))
  const answered = new Set(messages.flatMap(answeredIn))
  const convert = (message: Message, index: number) => {
    const all = toBlocks(message, index, lose)
    const closed = index < messages.length - 1 ? withoutOpenCalls(all, answered, index, lose) : all
    const blocks = withKnownReferences(closed, isOffered, index, lose)
    if (marked.has(index)) lastBlocks.add(blocks.findLast(isMarkable))
    return blocks
  }
  const { system, turns } = mergeTurns(messages, convert, lose)
  const sent = trimLast(turns, messages.length - 1, lose)
  const mark = (block: AnthropicBlock) => (lastBlocks.has(block) ? { ...block, ...CACHED } : block)
  return { system, messages: sent.map(({ role, blocks }) => ({ role, content: blocks.map(mark) })) }
}

/** True if the block accepts a cache mark. The API rejects cache marks on thinking blocks. */
function isMarkable(block: AnthropicBlock): boolean {
  return !isThinking(block)
}

export const CACHED: Required<Cached> = { cache_control: { type: 'ephemeral' } }

const toBlocks = byMessage((message: Message, lose): readonly AnthropicBlock[] => {
  loseBlank(message, lose)
  if (message.role === 'tool') return [encodeResult(message, lose)]
  if (message.role !== 'assistant') return partBlocks(message, lose)
  // The cast is safe: blocks that this package doesn't write come from the API itself.
  return signedBlocks(message, FORMS, lose) as unknown as readonly AnthropicBlock[]
})

/** Returns the ids of the calls to provider tools whose results a message contains. */
function answeredIn(message: Message): readonly unknown[] {
  if (message.role !== 'assistant') return []
  return arrayAt(objectAt(message.metadata, NAME), 'content').map((block) => fieldAt(block, 'tool_use_id'))
}

/**
 * Removes calls to provider tools without a result from a reply without other calls, and the thinking that they leave at the end. The API
 * accepts them only in its last turn, which it then continues (github.com/anthropics/anthropic-sdk-python/issues/1339).
 */
function withoutOpenCalls(
  blocks: readonly AnthropicBlock[],
  answered: ReadonlySet<unknown>,
  index: number,
  lose: Lose,
): readonly AnthropicBlock[] {
  const isOpen = (block: AnthropicBlock) => stringAt(block, 'type')?.endsWith('tool_use') && !answered.has(fieldAt(block, 'id'))
  if (!blocks.some(isOpen) || blocks.some(({ type }) => type === 'tool_use')) return blocks
  const closed = blocks.filter((block) => {
    if (isOpen(block))
      lose({ path: `/messages/${index}/metadata`, keyword: block.type, action: 'dropped', note: 'the call has no result' })
    return !isOpen(block)
  })
  const end = closed.findLastIndex((block) => !isThinking(block)) + 1
  const path = `/messages/${index}/metadata`
  if (end < closed.length) lose({ path, keyword: 'reasoning', action: 'dropped', note: 'no content follows the reasoning' })
  return closed.slice(0, end)
}

/**
 * Removes references to tools that this request doesn't offer from results of the provider's search, because the API rejects them: "Tool
 * reference … not found in available tools" (github.com/anthropics/claude-code/issues/79970).
 */
function withKnownReferences(
  blocks: readonly AnthropicBlock[],
  isOffered: (name: unknown) => boolean,
  index: number,
  lose: Lose,
): readonly AnthropicBlock[] {
  let known = blocks
  for (const [place, block] of blocks.entries()) {
    if ((block.type as string) !== 'tool_search_tool_result') continue
    const content = objectAt(block, 'content')
    const references = arrayAt(content, 'tool_references')
    const kept: unknown[] = []
    for (const reference of references) {
      const name = stringAt(reference, 'tool_name') ?? ''
      if (isOffered(name)) kept.push(reference)
      else
        lose({
          path: `/messages/${index}/metadata`,
          keyword: 'tool_reference',
          action: 'dropped',
          note: `there is no tool "${name}"`,
        })
    }
    if (kept.length === references.length) continue
    known = known.with(place, { ...block, content: { ...content, tool_references: kept } } as never)
  }
  return known
}

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
