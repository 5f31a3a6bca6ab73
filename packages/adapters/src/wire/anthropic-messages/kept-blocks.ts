/** Stores the blocks of a reply as metadata if text and calls alone can't express the reply. */
import type { Metadata } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, stringAt } from '../read-json.ts'
import type { ReplyBlock } from '../signed-blocks.ts'

export const NAME = 'anthropic-messages'

/**
 * Returns the blocks that must be sent back. Undefined if the reply consists only of text followed by calls. The names and inputs of
 * calls aren't stored, because the message contains them.
 */
export function keepBlocks(
  blocks: readonly ReplyBlock[],
  rawFinishReason: string | undefined,
  container?: string,
): Metadata | undefined {
  if (blocks.every(({ raw }, index) => isPlain(raw, blocks[index - 1]?.raw))) return undefined
  const waits = rawFinishReason === 'pause_turn' || blocks.some(({ raw }) => raw.type === 'tool_use' && isCalledByCode(raw))
  return { [NAME]: { content: blocks.map(toKept), ...(waits && container !== undefined && { container }) } }
}

export function isThinking(block: unknown): boolean {
  const type = stringAt(block, 'type')
  return type === 'thinking' || type === 'redacted_thinking'
}

function isPlain(block: JsonObject, before: JsonObject | undefined): boolean {
  if (block.type === 'text') return arrayAt(block, 'citations').length === 0 && before?.type !== 'tool_use'
  if (block.type !== 'tool_use' || isCalledByCode(block)) return false
  return Object.entries(block).every(([key, value]) => value === null || PLAIN_KEYS.has(key))
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input', 'caller'])

/** True for a call made by code that runs at the provider, not by the model itself. */
function isCalledByCode(block: JsonObject): boolean {
  const caller = fieldAt(block, 'caller')
  return isObject(caller) && caller.type !== 'direct'
}

function toKept({ raw, callId }: ReplyBlock): JsonObject {
  if (callId === undefined) return raw
  const { name, input, ...kept } = raw
  return { ...kept, id: callId }
}
