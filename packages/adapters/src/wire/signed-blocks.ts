/** Encodes an assistant message for APIs that sign their models' reasoning and require it back: Anthropic and Bedrock. */
import type { AssistantMessage, RawToolCall } from '../protocol/protocol.ts'
import { assistantBlocks, type BlockForms } from './assistant-blocks.ts'
import { callInput } from './call-input.ts'
import type { Lose } from './convert-once.ts'
import { loseReasoning } from './losses.ts'
import { arrayAt, isObject, isWritable, type JsonObject, objectAt } from './read-json.ts'

/** A block of a reply. For a call, `callId` is the id of the decoded call. */
export interface ReplyBlock {
  readonly raw: JsonObject
  readonly callId?: string | undefined
}

/** How one API represents blocks. `name` is the key of the metadata with the original blocks: `metadata[name].content`. */
export interface SignedForms extends Omit<BlockForms<JsonObject>, 'toCall'> {
  readonly name: string
  isReasoning(block: JsonObject): boolean
  toCall(call: RawToolCall, input: Record<string, unknown>, kept?: JsonObject): JsonObject
}

/**
 * Builds the blocks of an assistant message. Omits reasoning from other providers and reasoning at the end of the message, because these
 * APIs reject both.
 */
export function signedBlocks(message: AssistantMessage, forms: SignedForms, lose: Lose): readonly JsonObject[] {
  const kept = keptBlocks(message, forms.name, lose)
  loseReasoning(message, kept.some(forms.isReasoning), lose, 'this API accepts only reasoning that it signed')
  const blocks = assistantBlocks(message, kept, {
    ...forms,
    toCall: (call, index, own) => forms.toCall(call, callInput(call, index, lose), own),
  })
  const end = blocks.findLastIndex((block) => !forms.isReasoning(block)) + 1
  if (end < blocks.length)
    lose({ path: '/metadata', keyword: 'reasoning', action: 'dropped', note: 'no content follows the reasoning' })
  return blocks.slice(0, end)
}

function keptBlocks({ metadata }: AssistantMessage, name: string, lose: Lose): readonly JsonObject[] {
  return arrayAt(objectAt(metadata, name), 'content').filter((block): block is JsonObject => {
    const isSound = isObject(block) && isWritable(block)
    if (!isSound)
      lose({ path: '/metadata', keyword: name, action: 'dropped', note: "a stored block isn't an object or is malformed" })
    return isSound
  })
}
